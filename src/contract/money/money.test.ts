import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dollarsOf, formatDollars, parseCents } from './money.ts';

const amounts = fc.integer({ min: 0, max: 999_999_999 });

describe('a price', () => {
  it('comes back to the cent, as a number and as text, with or without needless zeros', () => {
    fc.assert(
      fc.property(amounts, (cents) => {
        expect(parseCents(dollarsOf(cents))).toBe(cents);
        expect(parseCents((cents / 100).toFixed(2))).toBe(cents);
        expect(parseCents(` ${dollarsOf(cents)} `)).toBe(cents);
      }),
    );
  });

  it('is refused with a sign, an exponent, a third decimal, letters or too many digits', () => {
    const wrong = [
      '-1',
      '+1',
      '1e3',
      '0.001',
      '12abc',
      '',
      ' ',
      '.5',
      '5.',
      '1,50',
      '1 000',
      '0x10',
      '12345678',
      '٣',
      'NaN',
    ];
    for (const text of wrong) expect(parseCents(text), text).toBeUndefined();
    for (const number of [-1, Number.NaN, Infinity, 1e21, 0.001, 1e-7]) expect(parseCents(number)).toBeUndefined();
  });

  it('is never read from text that is more than digits and one point', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        if (!/^\s*\d{1,7}(\.\d{1,2})?\s*$/.test(text)) expect(parseCents(text)).toBeUndefined();
      }),
    );
  });

  it('is shown to the cent, so that prices beside each other read alike', () => {
    expect(formatDollars(8)).toBe('$8.00');
    expect(formatDollars(9.5)).toBe('$9.50');
    expect(formatDollars(1234.05)).toBe('$1,234.05');
    expect(formatDollars(0)).toBe('$0.00');
  });

  it('has its sign before the dollar sign below zero', () => {
    expect(formatDollars(-0.5)).toBe('−$0.50');
  });
});
