import { describe, expect, it } from 'vitest';
import { COUNTRIES } from './countries.ts';
import type { CopyDelivery } from './delivery-calls.ts';
import { countriesInWords, deliveryInWords, postedTotal } from './delivery-words.ts';

const POSTS: CopyDelivery = {
  pickup: true,
  pickupPlace: 'Portland, OR',
  post: true,
  first: 4,
  further: 1.5,
  freeFrom: 30,
  countries: ['US'],
  home: 'US',
  daysToPost: 3,
};
const words = (changes: Partial<CopyDelivery>) => deliveryInWords({ ...POSTS, ...changes });

describe('delivery in words', () => {
  it('says where to pick up, what post costs, how soon and where to', () => {
    expect(words({})).toEqual([
      'Pickup in Portland, OR',
      'Posted for $4.00 within 3 working days; each further book $1.50; free from $30.00',
      'Posted to the United States',
    ]);
  });

  it('says when it is ready where it is picked up only', () => {
    expect(words({ post: false, daysToPost: 1 })).toEqual(['Pickup in Portland, OR, ready within 1 working day']);
    expect(words({ post: false, pickupPlace: '' })).toEqual(['Pickup, ready within 3 working days']);
  });

  it('says nothing twice and nothing that is not so', () => {
    expect(words({ pickup: false, further: 4, freeFrom: null })[0]).toBe('Posted for $4.00 within 3 working days');
    expect(words({ first: 0, further: 0 })[1]).toBe('Posted free within 3 working days');
    expect(words({ further: 0, freeFrom: null })[1]).toBe('Posted for $4.00 within 3 working days; further books free');
  });
});

describe('what a posted copy costs in all', () => {
  it('is its price and the postage of a first book, to the cent', () => {
    expect(postedTotal(7.1, { ...POSTS, first: 3.99 })).toBe(11.09);
    expect(postedTotal(7, { ...POSTS, first: 0 })).toBe(7);
  });

  it('is its price from where on postage is free', () => {
    expect(postedTotal(29.99, POSTS)).toBe(33.99);
    expect(postedTotal(30, POSTS)).toBe(30);
  });

  it('is nothing where it is not posted', () => {
    expect(postedTotal(7, { ...POSTS, post: false })).toBeUndefined();
  });
});

describe('countries in words', () => {
  it('are named while they are few, and counted beyond', () => {
    expect(countriesInWords(['US', 'CA'])).toBe('the United States and Canada');
    expect(countriesInWords(['FR', 'DE', 'IT', 'ES'])).toBe('France, Germany, Italy and Spain');
    expect(countriesInWords(['FR', 'DE', 'IT', 'ES', 'PT'])).toBe('France, Germany, Italy and 2 more countries');
    expect(countriesInWords(COUNTRIES)).toBe('every country');
  });
});
