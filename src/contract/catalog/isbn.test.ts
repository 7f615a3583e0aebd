import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isbn13CheckDigit, normaliseIsbn } from './isbn.ts';

const nineDigits = fc.stringMatching(/^\d{9}$/);

/** ISO 2108 in other words: the ten digits weighted 10 to 1 sum to a multiple of eleven. */
const isbn10Of = (nine: string): string => {
  const choices = [...'0123456789X'].filter((check) => {
    const values = [...nine, check].map((digit) => (digit === 'X' ? 10 : Number(digit)));
    return values.reduce((sum, value, place) => sum + value * (10 - place), 0) % 11 === 0;
  });
  return `${nine}${choices[0]}`;
};

describe('an ISBN', () => {
  it('is the same book as ISBN-10 and ISBN-13, with hyphens, spaces or neither', () => {
    expect(normaliseIsbn('0-439-02348-3')).toBe('9780439023481');
    expect(normaliseIsbn('978 0 439 02348 1')).toBe('9780439023481');
    expect(normaliseIsbn('080442957x')).toBe('9780804429573');
  });

  it('has the check digit that both forms agree on', () => {
    fc.assert(
      fc.property(nineDigits, (nine) => {
        const isbn13 = normaliseIsbn(isbn10Of(nine));
        expect(isbn13).toBe(`978${nine}${isbn13CheckDigit(`978${nine}`)}`);
        expect(normaliseIsbn(isbn13 ?? '')).toBe(isbn13);
      }),
    );
  });

  it('with one wrong digit is none', () => {
    fc.assert(
      fc.property(nineDigits, fc.nat(9), fc.integer({ min: 1, max: 9 }), (nine, place, by) => {
        const isbn = isbn10Of(nine);
        const digit = isbn[place] === 'X' ? 10 : Number(isbn[place]);
        const wrong = `${isbn.slice(0, place)}${(digit + by) % 10}${isbn.slice(place + 1)}`;
        fc.pre(wrong !== isbn && (digit < 10 || by > 0));
        expect(normaliseIsbn(wrong)).toBeUndefined();
      }),
    );
  });

  it('is none when it is too short, too long, or no number', () => {
    for (const text of ['', '439023481', '97804390234811', '9790', '9.78043902348e+12', 'X439023481', '0439O23481']) {
      expect(normaliseIsbn(text), text).toBeUndefined();
    }
  });
});
