import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isbn13CheckDigit, normaliseIsbn, readIsbn } from './isbn.ts';

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

  it.each([
    ['9780306406157', '9780306406157'],
    ['0306406152', '9780306406157'],
    ['0-8044-2957-x', '9780804429573'],
    ['043942089x', '9780439420891'],
    ['ISBN-13: 978-0-306-40615-7', '9780306406157'],
    ['ISBN 0-306-40615-2', '9780306406157'],
    ['isbn 978.0.306.40615.7', '9780306406157'],
    ['ISBN-10 0306406152', '9780306406157'],
    ['ISBN1034567892', undefined],
    ['978\u20110\u2011306\u201340615\u20127', '9780306406157'],
    ['\uff19\uff17\uff18\uff10\uff13\uff10\uff16\uff14\uff10\uff16\uff11\uff15\uff17', '9780306406157'],
    ['306406152', '9780306406157'],
    ['979-8-88645-174-0', '9798886451740'],
    ['ISBN\u201113: 978\u20110\u2011306\u201140615\u20117', '9780306406157'],
    ['ISBN\u201310: 0306406152', '9780306406157'],
    ['ISBN-13-978-0-306-40615-7', '9780306406157'],
    ['ISBN 13-9780306406157', '9780306406157'],
    ['ISBN-139780306406157', '9780306406157'],
    ['eISBN 9780306406157', '9780306406157'],
    ['SBN 306 40615 2', '9780306406157'],
    ['978\u00b70\u00b7306\u00b740615\u00b77', '9780306406157'],
    ['\u200b9780306406157\u200e', '9780306406157'],
    ['(ISBN 9780306406157);', '9780306406157'],
    ['978030640615702', '9780306406157'],
  ])('written %s is %s', (text, isbn13) => {
    expect(normaliseIsbn(text)).toBe(isbn13);
  });

  it('with a price behind it says both', () => {
    expect(readIsbn('9780306406157 51995')).toEqual({ isbn13: '9780306406157', addOnCents: 1_995 });
    // $100 or more, used, none, pounds.
    for (const addOn of ['59999', '99990', '90000', '00999']) {
      expect(readIsbn(`9780306406157${addOn}`)).toEqual({ isbn13: '9780306406157' });
    }
  });

  it.each([
    ['978-0-306-40615-8', /check digit/],
    ['9790260000438', /printed music/],
    ['9770262407244', /magazine/],
    ['977026240724405', /magazine/],
    ['0000000000', /repeats/],
    ['1111111111', /repeats/],
    ['9780000000002', /repeats/],
    ['O3O64O6152', /letter O/],
    ['0306406I52', /letter O/],
    ['12345', /10 digits, or 13/],
    ['978030640615', /10 digits, or 13/],
    ['97803064061575199', /10 digits, or 13/],
  ])('%s is told what is wrong with it', (text, sentence) => {
    expect(readIsbn(text)).toEqual({ problem: expect.stringMatching(sentence) as string });
  });

  it('that is not typed is no error', () => {
    expect(readIsbn('  ')).toBeUndefined();
    expect(readIsbn('ISBN')).toBeUndefined();
  });
});
