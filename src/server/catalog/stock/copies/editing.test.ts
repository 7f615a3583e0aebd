import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_PRICE_CENTS, MIN_PRICE_CENTS } from '#contract/money/money.ts';
import type { StockChange } from '#contract/stock/stock-edits.ts';
import { changeProblems, changeWords, editOf, priceAfter, roundCents, type EditableCopy } from './editing.ts';

const copy: EditableCopy = {
  id: '0',
  state: 'available',
  isPausedAlone: false,
  waitsForLook: false,
  isGraded: false,
  category_id: 'fiction',
  condition: 'Good',
  resale_cents: 1_200,
  original_known: false,
  original_cents: 1_200,
  pickup: null,
  post: null,
};

describe('an edit', () => {
  it('rounds to the cent, the half dollar, the dollar and to 99 cents', () => {
    expect(['cent', 'half', 'dollar', '99'].map((round) => roundCents(1_237, round as 'cent'))).toEqual([
      1_237, 1_250, 1_200, 1_199,
    ]);
    expect(roundCents(10, '99')).toBe(99);
    expect([1_260, 1_299, 1_350].map((cents) => roundCents(cents, '99'))).toEqual([1_299, 1_299, 1_399]);
  });

  it('makes a price of an amount or a percentage, exactly', () => {
    expect(priceAfter(1_200, { by: 'percent', value: 10, round: 'cent' })).toBe(1_320);
    expect(priceAfter(1_200, { by: 'percent', value: -12.5, round: 'cent' })).toBe(1_050);
    expect(priceAfter(1_200, { by: 'amount', value: -0.1, round: 'cent' })).toBe(1_190);
    expect(priceAfter(1_200, { by: 'to', value: 8.5, round: 'cent' })).toBe(850);
    expect(priceAfter(1_005, { by: 'percent', value: 10, round: 'cent' })).toBe(1_106);
  });

  it('leaves what a buyer has, what waits for a look and what would cost too little', () => {
    const reprice: StockChange = { price: { by: 'amount', value: -11.6, round: 'cent' } };
    expect(editOf({ ...copy, state: 'held' }, reprice)).toEqual({ because: 'held' });
    expect(editOf({ ...copy, state: 'sold' }, { remove: true })).toEqual({ because: 'sold' });
    expect(editOf(copy, reprice)).toEqual({ because: 'price' });
    expect(editOf({ ...copy, isPausedAlone: true, waitsForLook: true }, { paused: false })).toEqual({
      because: 'look',
    });
    expect(editOf({ ...copy, isGraded: true }, { condition: 'Fair' })).toEqual({ because: 'graded' });
    expect(editOf({ ...copy, isGraded: true }, { condition: 'Good' })).toEqual({ because: 'unchanged' });
  });

  it('has a price that was never known follow the one that is asked', () => {
    const change: StockChange = { price: { by: 'to', value: 9, round: 'cent' } };
    expect(editOf(copy, change)).toMatchObject({ facts: { resale_cents: 900, original_cents: 900 } });
    expect(editOf({ ...copy, original_known: true, original_cents: 2_000 }, change)).toMatchObject({
      facts: { resale_cents: 900, original_cents: 2_000 },
    });
  });

  it('done twice changes nothing the second time, but for a price that goes up or down', () => {
    const change = fc.record(
      {
        condition: fc.constantFrom('Excellent', 'Good', 'Fair'),
        category: fc.constantFrom('fiction', 'poetry'),
        delivery: fc.constantFrom('settings', 'pickup', 'post', 'both'),
        paused: fc.boolean(),
        price: fc.record({
          by: fc.constant('to'),
          value: fc.integer({ min: 1, max: 500 }),
          round: fc.constantFrom('cent', 'half', 'dollar', '99'),
        }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(change, (raw) => {
        const wanted = raw as StockChange;
        const edit = editOf(copy, wanted);
        if ('because' in edit) {
          expect(edit.because).toBe('unchanged');
          return;
        }
        expect(edit.facts.resale_cents).toBeGreaterThanOrEqual(MIN_PRICE_CENTS);
        expect(edit.facts.resale_cents).toBeLessThanOrEqual(MAX_PRICE_CENTS);
        const after = {
          ...copy,
          ...edit.facts,
          ...edit.ways,
          isPausedAlone: edit.move === undefined ? copy.isPausedAlone : edit.move === 'pause',
        };
        expect(editOf(after, wanted)).toEqual({ because: 'unchanged' });
      }),
    );
  });

  it('of nothing, or of what contradicts itself, is none', () => {
    expect(Object.keys(changeProblems({}))).toEqual(['change']);
    expect(Object.keys(changeProblems({ remove: true, paused: true }))).toEqual(['remove']);
    expect(changeProblems({ remove: true })).toEqual({});
    for (const price of [
      { by: 'to', value: 0.1, round: 'cent' },
      { by: 'percent', value: -100, round: 'cent' },
      { by: 'amount', value: 0, round: '99' },
    ] as const)
      expect(Object.keys(changeProblems({ price }))).toEqual(['price']);
  });

  it('is told in words', () => {
    expect(changeWords({ price: { by: 'percent', value: 5, round: '99' }, condition: 'Good' })).toBe(
      'price +5 %, condition Good',
    );
    expect(changeWords({ price: { by: 'amount', value: -2, round: 'cent' }, paused: false })).toBe(
      'price −$2.00, puts them back',
    );
    expect(changeWords({ remove: true })).toBe('removed');
  });
});
