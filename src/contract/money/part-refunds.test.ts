import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partRefund, type RefundableShare } from './part-refunds.ts';
import { sharesOf, type SaleTerms } from './shares.ts';

const TODAYS: SaleTerms = { feeBasisPoints: 290, feeCents: 30, commissionBasisPoints: 1_000 };

const shareOf = (amountCents: number, terms: SaleTerms): RefundableShare => {
  const { sellerCents, commissionCents } = sharesOf(amountCents, terms);
  return { amountCents, sellerCents, commissionCents };
};

const share = fc
  .record({
    amountCents: fc.oneof(fc.integer({ min: 1, max: 9_999_999 }), fc.integer({ min: 1, max: 500 })),
    terms: fc.record({
      feeBasisPoints: fc.integer({ min: 0, max: 2_000 }),
      feeCents: fc.integer({ min: 0, max: 1_000 }),
      commissionBasisPoints: fc.integer({ min: 0, max: 5_000 }),
    }),
  })
  .map(({ amountCents, terms }) => shareOf(amountCents, terms));

/** A share and the sums given back of it, each at least the one before, the last of them everything. */
const refunds = share.chain((its) =>
  fc
    .array(fc.integer({ min: 0, max: its.amountCents }), { maxLength: 20 })
    .map((sums) => ({ share: its, sums: [...sums.toSorted((a, b) => a - b), its.amountCents] })),
);

describe('money given back in parts', () => {
  it('comes off seller and commission in proportion, the rest off whoever caused it', () => {
    const its = shareOf(750, TODAYS);
    expect(its).toEqual({ amountCents: 750, sellerCents: 623, commissionCents: 75 });
    expect(partRefund(its, 0, 200)).toEqual({ sellerCents: 166, commissionCents: 20, restCents: 14 });
    expect(partRefund(its, 200, 750)).toEqual({ sellerCents: 457, commissionCents: 55, restCents: 38 });
  });

  it('is at once all of the shares and the fee', () => {
    fc.assert(
      fc.property(share, (its) => {
        expect(partRefund(its, 0, its.amountCents)).toEqual({
          sellerCents: its.sellerCents,
          commissionCents: its.commissionCents,
          restCents: its.amountCents - its.sellerCents - its.commissionCents,
        });
      }),
    );
  });

  it('is, in any number of parts, together the same; seller and commission only rise, the fee by a cent at most', () => {
    fc.assert(
      fc.property(refunds, ({ share: its, sums }) => {
        const feeCents = its.amountCents - its.sellerCents - its.commissionCents;
        const all = { sellerCents: 0, commissionCents: 0, restCents: 0 };
        let before = 0;
        for (const after of sums) {
          const part = partRefund(its, before, after);
          expect(part.sellerCents + part.commissionCents + part.restCents).toBe(after - before);
          expect(Math.min(part.sellerCents, part.commissionCents)).toBeGreaterThanOrEqual(0);
          all.sellerCents += part.sellerCents;
          all.commissionCents += part.commissionCents;
          all.restCents += part.restCents;
          expect(all.restCents).toBeGreaterThanOrEqual(0);
          expect(all.restCents).toBeLessThanOrEqual(feeCents + 1);
          before = after;
        }
        expect(all).toEqual({
          sellerCents: its.sellerCents,
          commissionCents: its.commissionCents,
          restCents: feeCents,
        });
      }),
      { numRuns: 2_000 },
    );
  });

  it('adds up in seven sevenths and cent by cent', () => {
    const its = shareOf(700, TODAYS);
    const whole = partRefund(its, 0, 700);
    for (const step of [100, 1]) {
      const all = { sellerCents: 0, commissionCents: 0, restCents: 0 };
      for (let before = 0; before < 700; before += step) {
        const part = partRefund(its, before, before + step);
        all.sellerCents += part.sellerCents;
        all.commissionCents += part.commissionCents;
        all.restCents += part.restCents;
      }
      expect(all).toEqual(whole);
    }
  });

  it('is nothing of postage that cost nothing', () => {
    const free = { amountCents: 0, sellerCents: 0, commissionCents: 0 };
    expect(partRefund(free, 0, 0)).toEqual({ sellerCents: 0, commissionCents: 0, restCents: 0 });
  });

  it('is never more than was paid, and never comes back', () => {
    const its = shareOf(750, TODAYS);
    for (const [before, after] of [
      [0, 751],
      [200, 100],
      [-1, 10],
      [0, Number.NaN],
    ] as const) {
      expect(() => partRefund(its, before, after)).toThrow(RangeError);
    }
  });
});
