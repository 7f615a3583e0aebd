import { describe, expect, it } from 'vitest';
import type { CopyDelivery } from '#contract/delivery/delivery-calls.ts';
import { firstEnd, isNeeded, sumOf, waysOf, whyNot, type Book } from './parcel.ts';

const POSTS: CopyDelivery = {
  pickup: true,
  pickupPlace: 'Portland, OR',
  post: true,
  first: 4,
  further: 1.5,
  freeFrom: 30,
  countries: ['US', 'CA'],
  home: 'US',
  daysToPost: 3,
};

const book = (price: number, more: Partial<CopyDelivery> = {}, bookedAt = '2026-03-04T12:00:00.000Z'): Book => ({
  _id: bookedAt,
  title: 'Emma',
  price,
  bookedAt,
  delivery: { ...POSTS, ...more },
});

describe('what is paid for books that come together', () => {
  it('is their prices and, by post, the postage of the one that was booked first and of each other', () => {
    const later = book(8, { first: 9, daysToPost: 5 }, '2026-03-04T13:00:00.000Z');
    expect(sumOf([later, book(7.5)], 'post', 'US')).toEqual({
      priceCents: 1_550,
      postageCents: 550,
      totalCents: 2_100,
      daysToPost: 5,
    });
    expect(sumOf([later, book(7.5)], 'pickup', 'US')).toMatchObject({ postageCents: 0, totalCents: 1_550 });
    expect(sumOf([book(30)], 'post', 'US')).toMatchObject({ postageCents: 0, totalCents: 3_000 });
  });

  it('is asked for in ways that their seller offers, pickup first', () => {
    expect(waysOf(POSTS)).toEqual(['pickup', 'post']);
    expect(waysOf({ ...POSTS, pickup: false })).toEqual(['post']);
    expect(waysOf({ ...POSTS, pickup: false, post: false })).toEqual(['pickup']);
    expect(whyNot(book(8), 'post', 'CA')).toBeUndefined();
    expect(whyNot(book(8), 'post', 'FR')).toBe('The seller does not post to France');
    expect(whyNot(book(8, { pickup: false }), 'pickup', '')).toBe('The seller does not hand this book over');
  });

  it('is held until the first of the holds ends', () => {
    const held = (holdExpiresAt: string) => ({ hold: 'held' as const, holdExpiresAt });
    expect(firstEnd([held('2026-03-04T12:30:00Z'), held('2026-03-04T12:10:00Z')])).toEqual(
      new Date('2026-03-04T12:10:00Z'),
    );
    expect(firstEnd([{ hold: 'lapsed', holdExpiresAt: null }])).toBeUndefined();
  });
});

describe('an address', () => {
  it('needs a state and a postcode where its country has them', () => {
    expect(isNeeded('state', 'US')).toBe(true);
    expect(isNeeded('state', 'DE')).toBe(false);
    expect(isNeeded('postcode', 'DE')).toBe(true);
    expect(isNeeded('postcode', 'IE')).toBe(false);
  });
});
