import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COUNTRIES, countryInSentence, countryName, isCountry } from './countries.ts';
import {
  DEFAULT_DELIVERY,
  firstCountry,
  offersOf,
  pickupProblem,
  postageOf,
  postProblem,
  termsOfCopy,
  type DeliveryTerms,
} from './delivery.ts';

const POSTS: DeliveryTerms = {
  ...DEFAULT_DELIVERY,
  post: true,
  firstCents: 400,
  furtherCents: 150,
  freeFromCents: 3_000,
  countries: ['US', 'CA'],
};
const book = (priceCents: number, terms: DeliveryTerms = POSTS) => ({ priceCents, terms });

describe('the country of an address', () => {
  it('is at first the seller’s own, wherever it stands among those they post to, and the first where it does not', () => {
    expect(firstCountry({ home: 'US', countries: COUNTRIES })).toBe('US');
    expect(firstCountry({ home: 'US', countries: ['CA', 'US'] })).toBe('US');
    expect(firstCountry({ home: 'US', countries: ['CA', 'GB'] })).toBe('CA');
  });
});

describe('postage', () => {
  it('is the first-book price of the oldest booking and the further-book price of each other', () => {
    expect(postageOf([book(750)], 'US')).toEqual({ partsCents: [400], totalCents: 400, daysToPost: 3 });
    expect(postageOf([book(750), book(1_210), book(900)], 'CA')).toEqual({
      partsCents: [400, 150, 150],
      totalCents: 700,
      daysToPost: 3,
    });
  });

  it('is nothing from what the seller says, of all prices together', () => {
    expect(postageOf([book(1_500), book(1_499)], 'US')).toMatchObject({ totalCents: 550 });
    expect(postageOf([book(1_500), book(1_500)], 'US')).toMatchObject({ partsCents: [0, 0], totalCents: 0 });
    const never = { ...POSTS, freeFromCents: null };
    expect(postageOf([book(900_000, never)], 'US')).toMatchObject({ totalCents: 400 });
  });

  it('follows what a copy has of its own', () => {
    const atlas = termsOfCopy(POSTS, { firstCents: 1_200, furtherCents: 900, freeFromCents: null, daysToPost: 5 });
    expect(postageOf([book(750), book(4_000, atlas)], 'US')).toEqual({
      partsCents: [0, 900],
      totalCents: 900,
      daysToPost: 5,
    });
    expect(postageOf([book(800, atlas), book(750)], 'US')).toMatchObject({ partsCents: [1_200, 150] });
  });

  it('says which book stands in the way, and why', () => {
    const here = termsOfCopy(POSTS, { countries: ['US'] });
    expect(postageOf([book(750), book(800, here)], 'CA')).toEqual({
      problem: 'The seller does not post to Canada',
      book: 1,
    });
    expect(postProblem(POSTS, 'FR')).toBe('The seller does not post to France');
    expect(postProblem(POSTS, 'GB')).toBe('The seller does not post to the United Kingdom');
    expect(postProblem(DEFAULT_DELIVERY, 'US')).toBe('The seller does not post this book');
    expect(postProblem(POSTS, 'US')).toBeUndefined();
  });

  it('is its parts, and none of them is above what its book costs alone as the first or a further one', () => {
    const cents = fc.integer({ min: 0, max: 99_999 });
    const terms = fc.record({ firstCents: cents, furtherCents: cents, freeFromCents: fc.option(cents) });
    const books = fc.array(fc.tuple(fc.integer({ min: 50, max: 9_999_999 }), terms), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(books, (its) => {
        const parcel = its.map(([price, own]) => book(price, { ...POSTS, ...own }));
        const postage = postageOf(parcel, 'US');
        if ('problem' in postage) throw new Error(postage.problem);
        expect(postage.partsCents).toHaveLength(its.length);
        expect(postage.partsCents.reduce((sum, part) => sum + part, 0)).toBe(postage.totalCents);
        for (const [at, part] of postage.partsCents.entries()) {
          const own = its[at]?.[1];
          expect([0, at === 0 ? own?.firstCents : own?.furtherCents]).toContain(part);
        }
      }),
    );
  });
});

describe('the terms of a copy', () => {
  it('are its seller’s but for what it has of its own, nothing and no included', () => {
    expect(termsOfCopy(POSTS, {})).toEqual(POSTS);
    expect(termsOfCopy(POSTS, { pickup: false, firstCents: 0, freeFromCents: null })).toEqual({
      ...POSTS,
      pickup: false,
      firstCents: 0,
      freeFromCents: null,
    });
  });

  it('always leave a way to its buyer', () => {
    const posted = termsOfCopy(POSTS, { pickup: false });
    expect(offersOf(posted)).toEqual(['post']);
    // The seller stops posting, or posts to nowhere.
    expect(offersOf(termsOfCopy({ ...POSTS, post: false }, { pickup: false }))).toEqual(['pickup']);
    expect(offersOf(termsOfCopy({ ...DEFAULT_DELIVERY, pickup: false }, { post: true }))).toEqual(['pickup']);
  });

  it('say how it can come to its buyer', () => {
    expect(offersOf(DEFAULT_DELIVERY)).toEqual(['pickup']);
    expect(offersOf(POSTS)).toEqual(['pickup', 'post']);
    expect(offersOf(termsOfCopy(POSTS, { pickup: false }))).toEqual(['post']);
    expect(pickupProblem(POSTS)).toBeUndefined();
    expect(pickupProblem(termsOfCopy(POSTS, { pickup: false }))).toBe('The seller does not hand this book over');
  });
});

describe('a country', () => {
  it('has a name of its own, with its article within a sentence', () => {
    expect(new Set(COUNTRIES.map(countryName)).size).toBe(COUNTRIES.length);
    for (const code of COUNTRIES) expect(countryName(code), code).not.toBe(code);
    expect(countryInSentence('US')).toBe('the United States');
    expect(countryInSentence('DE')).toBe('Germany');
  });

  it('is two capital letters of one that there is', () => {
    for (const code of ['US', 'GB', 'XK']) expect(isCountry(code), code).toBe(true);
    for (const code of ['us', 'UK', 'EU', 'ZZ', '', 'USA', '__proto__']) expect(isCountry(code), code).toBe(false);
  });
});
