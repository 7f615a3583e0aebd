import { CONDITIONS, type Condition } from '#contract/catalog/catalog.ts';
import type { EditionPrices } from '#contract/catalog/editions/edition-calls.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { requireSeller, type Viewer } from '#server/platform/viewer.ts';
import { requireIsbn } from './edition.service.ts';
import { maySaySold } from './prices.policy.ts';
import { readAsked, readSold, type PricesAsked } from './prices.queries.ts';

export interface PricesInput {
  readonly isbn: string;
  readonly condition: Condition;
  /** Whose days sales are told by. */
  readonly timeZone: string;
}

/** What may be told of the prices of copies in a condition. */
const pricesOf = async (db: Db, of: PricesAsked & { timeZone: string }): Promise<EditionPrices> => {
  const asked = await readAsked(db, of);
  const sold = await readSold(db, of);
  return {
    asked: asked.count === 0 ? null : asked,
    sold: maySaySold(sold) ? { count: sold.count, low: sold.low, high: sold.high } : null,
  };
};

/**
 * What copies of an edition in a condition are asked and were sold for by others than the viewer, who knows their own.
 * 400 for what is no ISBN.
 */
export const readEditionPrices = (
  db: Db,
  viewer: Viewer,
  { isbn, condition, timeZone }: PricesInput,
): Promise<EditionPrices> => {
  const { userId: sellerId } = requireSeller(viewer);
  return pricesOf(db, { isbn13: requireIsbn(isbn), condition, sellerId, timeZone });
};

/**
 * The same for everybody, of all sellers, by condition. Never of all conditions together: with the others at hand, one
 * that is not told could be worked out.
 */
export const readPublicPrices = async (
  db: Db,
  of: { readonly isbn13: string; readonly timeZone: string },
): Promise<({ condition: Condition } & EditionPrices)[]> => {
  const prices: ({ condition: Condition } & EditionPrices)[] = [];
  for (const condition of CONDITIONS) prices.push({ condition, ...(await pricesOf(db, { ...of, condition })) });
  return prices.filter(({ asked, sold }) => asked !== null || sold !== null);
};
