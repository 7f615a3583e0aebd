import type { Condition } from '#contract/catalog/catalog.ts';
import type { EditionPrices } from '#contract/catalog/edition-calls.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { requireSeller, type Viewer } from '#server/platform/viewer.ts';
import { requireIsbn } from './edition.service.ts';
import { maySaySold } from './prices.policy.ts';
import { readAsked, readSold } from './prices.queries.ts';

export interface PricesInput {
  readonly isbn: string;
  readonly condition: Condition;
  /** Whose days sales are told by. */
  readonly timeZone: string;
}

/**
 * What copies of an edition in a condition are asked and were sold for by others than the viewer, who knows their own.
 * 400 for what is no ISBN.
 */
export const readEditionPrices = async (
  db: Db,
  viewer: Viewer,
  { isbn, condition, timeZone }: PricesInput,
): Promise<EditionPrices> => {
  const { userId: sellerId } = requireSeller(viewer);
  const isbn13 = requireIsbn(isbn);
  const asked = await readAsked(db, { isbn13, condition, sellerId });
  const sold = await readSold(db, { isbn13, condition, sellerId, timeZone });
  return {
    asked: asked.count === 0 ? null : asked,
    sold: maySaySold(sold) ? { count: sold.count, low: sold.low, high: sold.high } : null,
  };
};
