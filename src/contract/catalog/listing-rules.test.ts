import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListingDraft } from './catalog.ts';
import { categoryProblems, isImageUrl, listingProblems, parsePublishedYear, parseYears } from './listing-rules.ts';

const draft: ListingDraft = {
  email: 'ada@example.com',
  Seller: 'Ada',
  category_id: 'fiction',
  image_url: 'https://images.example/cover.jpg',
  title: 'Orlando',
  original_price: '18.00',
  resale_price: 7.5,
  phone: '+1 555 0100',
  location: 'Portland',
  years_of_use: 3,
  details: 'Clean.',
};

describe('a listing to be offered', () => {
  it('has no problem when everything needed is there', () => {
    expect(listingProblems(draft)).toEqual({});
  });

  it('needs each of its fields, and says which one is missing', () => {
    const fields = [
      'title',
      'image_url',
      'original_price',
      'resale_price',
      'years_of_use',
      'location',
      'phone',
      'details',
      'category_id',
    ] as const;
    for (const field of fields) expect(Object.keys(listingProblems({ ...draft, [field]: '' }))).toEqual([field]);
    for (const field of ['title', 'location', 'phone', 'details'] as const) {
      expect(Object.keys(listingProblems({ ...draft, [field]: ' \n ' }))).toEqual([field]);
    }
  });

  it('costs from 50 cents to 99,999.99 dollars', () => {
    for (const price of ['0.50', 0.5, '99999.99', 99999.99]) {
      expect(listingProblems({ ...draft, resale_price: price, original_price: price })).toEqual({});
    }
    for (const price of ['0.49', 0, '100000', 100_000, -5, 'free']) {
      expect(Object.keys(listingProblems({ ...draft, resale_price: price }))).toEqual(['resale_price']);
      expect(Object.keys(listingProblems({ ...draft, original_price: price }))).toEqual(['original_price']);
    }
  });

  it('may leave out the facts of the book, but not get them wrong', () => {
    expect(listingProblems({ ...draft, isbn13: '', published_year: '' })).toEqual({});
    expect(listingProblems({ ...draft, isbn13: '978-0-15-670160-0', published_year: 1928 })).toEqual({});
    expect(listingProblems({ ...draft, isbn13: '9780156701601' })).toEqual({
      isbn13: 'The check digit does not fit: one of the digits is wrong',
    });
    expect(listingProblems({ ...draft, isbn13: '97801567016' })).toEqual({
      isbn13: 'An ISBN has 10 digits, or 13 that begin with 978 or 979',
    });
    expect(Object.keys(listingProblems({ ...draft, published_year: 'soon' }))).toEqual(['published_year']);
  });
});

describe('the address of a picture', () => {
  it('is https with a host', () => {
    for (const url of ['https://images.example/a.jpg', 'HTTPS://images.example/a?b=c#d', 'https://[2001:db8::1]/a']) {
      expect(isImageUrl(url), url).toBe(true);
    }
  });

  it('is never script, data, a bare path, another scheme, an address with credentials or a very long one', () => {
    const wrong = [
      'javascript:alert(1)',
      'data:text/html,<b>',
      '//evil.example/a.jpg',
      '/a.jpg',
      'http://images.example/a.jpg',
      'https:evil',
      'https://',
      'https:///a.jpg',
      'https://user:pass@images.example/',
      'https://images.example\\@evil',
      'https://a b/',
      'https://images.example/\nx',
      ' https://images.example/',
      `https://images.example/${'a'.repeat(2_048)}`,
      'ftp://x/',
      'blob:https://x/',
    ];
    for (const url of wrong) expect(isImageUrl(url), url).toBe(false);
  });

  it('is taken with https and not with http, whatever host, port, path and query it has', () => {
    const options = { withQueryParameters: true, withFragments: true, authoritySettings: { withPort: true } };
    fc.assert(
      fc.property(fc.webUrl({ ...options, validSchemes: ['https'] }), (url) => {
        expect(isImageUrl(url)).toBe(true);
        expect(isImageUrl(url.replace('https:', 'http:'))).toBe(false);
      }),
    );
  });
});

describe('years', () => {
  it('of use are 0 to 500, to one decimal', () => {
    expect([0, '0.5', ' 12 ', 500].map(parseYears)).toEqual([0, 0.5, 12, 500]);
    for (const wrong of ['-1', '1.25', '501', 'many', '', '1e2', Number.NaN]) expect(parseYears(wrong)).toBeUndefined();
  });

  it('of publication reach from antiquity to next year, and there was no year 0', () => {
    const next = new Date().getUTCFullYear() + 1;
    expect(['-720', -3000, 1, String(next)].map(parsePublishedYear)).toEqual([-720, -3000, 1, next]);
    for (const wrong of [0, '-3001', next + 1, '19x4', '1984.5', '']) expect(parsePublishedYear(wrong)).toBeUndefined();
  });
});

describe('a category to be added', () => {
  it('has an id of letters, digits, dashes and underscores, and a name', () => {
    expect(categoryProblems({ category_id: 'Sci_Fi-2', category_name: 'Science Fiction' })).toEqual({});
    for (const id of ['', 'a b', 'é', 'a/b', '../x', 'a'.repeat(65), 'a\n']) {
      expect(Object.keys(categoryProblems({ category_id: id, category_name: 'x' })), id).toEqual(['category_id']);
    }
    expect(Object.keys(categoryProblems({ category_id: 'x', category_name: '  ' }))).toEqual(['category_name']);
  });
});
