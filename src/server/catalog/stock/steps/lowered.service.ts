import type { Trx } from '#server/platform/postgres/db.ts';
import { waitForLook, type HoldForLook } from '#server/catalog/listings/looks.service.ts';

/** A copy whose price was changed, in cents. */
export interface Repriced {
  readonly listingId: string;
  readonly isbn13: string;
  readonly fromCents: number;
  readonly toCents: number;
}

/** A price that falls far is looked at like a new one. */
export const lookAtLowered = async (
  trx: Trx,
  holdForLook: HoldForLook | undefined,
  sellerId: string,
  repriced: readonly Repriced[],
): Promise<void> => {
  if (holdForLook === undefined) return;
  for (const { listingId, isbn13, fromCents, toCents } of repriced) {
    const copy = { listingId, sellerId, isbn13, resaleCents: toCents, isNew: false, isOfMany: true } as const;
    if (toCents < fromCents && (await holdForLook(trx, copy))) await waitForLook(trx, listingId);
  }
};
