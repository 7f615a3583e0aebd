import { describe, expect, it } from 'vitest';
import { receiveWords } from './you-receive.tsx';

const TERMS = { feeBasisPoints: 290, feeCents: 30, commissionBasisPoints: 0, confirmedOnly: false };

describe('what a seller gets of a price', () => {
  it.each([
    ['8', 'You receive $7.47 of $8.00: the payment provider keeps 2.9% + $0.30.'],
    ['$1.00', 'You receive $0.67 of $1.00: the payment provider keeps 2.9% + $0.30.'],
    ['0,50', 'You receive $0.19 of $0.50: the payment provider keeps 2.9% + $0.30.'],
  ])('is said of %s as it is typed', (typed, words) => {
    expect(receiveWords(typed, TERMS)).toBe(words);
  });

  it.each(['', '0.49', '100000', '1,250', 'eight'])('is said of any price while %j is none', (typed) => {
    expect(receiveWords(typed, TERMS)).toBe('Of each sale the payment provider keeps 2.9% + $0.30.');
  });

  it('names the commission of the shop beside the fee, and is all of it where nothing is kept', () => {
    expect(receiveWords('10', { ...TERMS, commissionBasisPoints: 550 })).toBe(
      'You receive $8.86 of $10.00: the payment provider keeps 2.9% + $0.30 and the shop keeps 5.5%.',
    );
    expect(receiveWords('10', { ...TERMS, feeBasisPoints: 0, feeCents: 0 })).toBeUndefined();
  });
});
