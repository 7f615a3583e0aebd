import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parcelShares, type ParcelShare } from './parcel-shares.ts';
import { feeOf, sharesOf, type SaleTerms } from './shares.ts';

const TODAYS: SaleTerms = { feeBasisPoints: 290, feeCents: 30, commissionBasisPoints: 1_000 };

const terms = fc.record({
  feeBasisPoints: fc.integer({ min: 0, max: 2_000 }),
  feeCents: fc.integer({ min: 0, max: 1_000 }),
  commissionBasisPoints: fc.integer({ min: 0, max: 5_000 }),
});
const price = fc.oneof(fc.integer({ min: 50, max: 9_999_999 }), fc.integer({ min: 50, max: 200 }));
const postage = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 99_999 }));
const books = fc.array(fc.record({ priceCents: price, postageCents: postage }), { minLength: 1, maxLength: 12 });

const sum = (shares: readonly ParcelShare[], part: keyof ParcelShare): number =>
  shares.reduce((cents, share) => cents + share[part], 0);

describe('the shares of a parcel', () => {
  it('bear one fee, in proportion to prices and postage', () => {
    const shares = parcelShares(
      [
        { priceCents: 750, postageCents: 500 },
        { priceCents: 1_210, postageCents: 0 },
      ],
      TODAYS,
    );
    expect(shares).toEqual([
      {
        priceCents: 750,
        postageCents: 500,
        priceFeeCents: 31,
        postageFeeCents: 20,
        commissionCents: 75,
        sellerPriceCents: 644,
        sellerPostageCents: 480,
      },
      {
        priceCents: 1_210,
        postageCents: 0,
        priceFeeCents: 50,
        postageFeeCents: 0,
        commissionCents: 121,
        sellerPriceCents: 1_039,
        sellerPostageCents: 0,
      },
    ]);
  });

  it('of a single book without postage are those of its price, to the cent', () => {
    fc.assert(
      fc.property(price, terms, (priceCents, its) => {
        const { feeCents, commissionCents, sellerCents } = sharesOf(priceCents, its);
        expect(parcelShares([{ priceCents, postageCents: 0 }], its)).toEqual([
          {
            priceCents,
            postageCents: 0,
            priceFeeCents: feeCents,
            postageFeeCents: 0,
            commissionCents,
            sellerPriceCents: sellerCents,
            sellerPostageCents: 0,
          },
        ]);
      }),
    );
  });

  it('add up to the payment and to the whole fee, and none is below zero', () => {
    fc.assert(
      fc.property(books, terms, (its, of) => {
        const shares = parcelShares(its, of);
        const total = its.reduce((cents, book) => cents + book.priceCents + book.postageCents, 0);
        expect(sum(shares, 'priceFeeCents') + sum(shares, 'postageFeeCents')).toBe(feeOf(total, of));
        for (const [at, share] of shares.entries()) {
          expect(share).toMatchObject(its[at] ?? {});
          expect(share.priceFeeCents + share.commissionCents + share.sellerPriceCents).toBe(share.priceCents);
          expect(share.postageFeeCents + share.sellerPostageCents).toBe(share.postageCents);
          expect(Math.min(...Object.values(share))).toBeGreaterThanOrEqual(0);
          expect(share.commissionCents * 10_000).toBeLessThanOrEqual(share.priceCents * of.commissionBasisPoints);
        }
      }),
    );
  });

  it('leave the seller of each book at least what was said, as long as the fee has a fixed part', () => {
    fc.assert(
      fc.property(books, terms, (its, of) => {
        for (const share of parcelShares(its, of)) {
          const said = sharesOf(share.priceCents, of);
          // Without a fixed part two roundings can bring a cent that neither book would bear alone.
          const over = of.feeCents >= 2 ? 0 : 1;
          expect(share.priceFeeCents).toBeLessThanOrEqual(said.feeCents + over);
          expect(share.sellerPriceCents).toBeGreaterThanOrEqual(said.sellerCents - over);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('give a cent that a book may not bear to the next', () => {
    const twins = { priceCents: 50, postageCents: 0 };
    const half: SaleTerms = { feeBasisPoints: 290, feeCents: 0, commissionBasisPoints: 0 };
    // 17 of 600: the twins alone bear 1 each, and their remainders are the largest.
    const shares = parcelShares([{ ...twins, postageCents: 500 }, twins], half);
    expect(shares.map(({ priceFeeCents, postageFeeCents }) => [priceFeeCents, postageFeeCents])).toEqual([
      [1, 15],
      [1, 0],
    ]);
    // 3 of 100: somebody must bear the third.
    expect(parcelShares([twins, twins], half).map(({ priceFeeCents }) => priceFeeCents)).toEqual([2, 1]);
  });

  it('never exceed a payment that the fee eats up', () => {
    const greedy: SaleTerms = { feeBasisPoints: 2_000, feeCents: 1_000, commissionBasisPoints: 5_000 };
    const [only] = parcelShares([{ priceCents: 50, postageCents: 100 }], greedy);
    expect(only).toMatchObject({ priceFeeCents: 50, postageFeeCents: 100, commissionCents: 0, sellerPriceCents: 0 });
  });
});
