import { sql } from 'kysely';
import type { BankAccountKind } from '#contract/money/bank-details.ts';
import type { Trx } from '#server/platform/postgres/db.ts';

export interface NewHandPayout {
  readonly batchId: string;
  readonly sellerId: string;
  readonly cents: number;
  readonly kind: BankAccountKind;
  readonly country: string;
  readonly shown: string;
  readonly version: number;
  readonly keyId: string;
  readonly sealed: Buffer;
  readonly secondReason: string | null;
}

/** Writes a payout down with a copy of where it goes. The caller has locked what its seller is due. */
export const insertHandPayout = async (trx: Trx, payout: NewHandPayout): Promise<string> => {
  const { sellerId } = payout;
  const { id } = await trx
    .insertInto('payouts')
    .values({
      seller_id: sellerId,
      order_id: null,
      n: sql<number>`(SELECT coalesce(max(n), 0) + 1 FROM payouts WHERE coalesce(order_id, seller_id) = ${sellerId}::uuid)`,
      way: 'manual',
      from_charge: false,
      amount_cents: payout.cents,
      account_id: null,
      provider_id: null,
      refusal_code: null,
      refusal_words: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('hand_payouts')
    .values({
      payout_id: id,
      batch_id: payout.batchId,
      line: null,
      kind: payout.kind,
      country: payout.country,
      shown: payout.shown,
      details_version: payout.version,
      key_id: payout.keyId,
      sealed: payout.sealed,
      second_reason: payout.secondReason,
      reference: null,
      settled_on: null,
    })
    .execute();
  return id;
};

/** Moves a payout by hand on; false where it is not in the state that it was to be in. */
export const moveHandPayout = async (
  trx: Trx,
  id: string,
  move:
    | { from: 'asked'; to: 'sent' }
    | { from: 'asked'; to: 'refused'; words: string }
    | { from: 'sent'; to: 'returned'; words: string },
): Promise<boolean> => {
  const result = await trx
    .updateTable('payouts')
    .set({
      state: move.to,
      ...('words' in move && { refusal_words: move.words }),
      ...(move.to !== 'returned' && { settled_at: sql<Date>`shop_now()` }),
    })
    .where('id', '=', id)
    .where('way', '=', 'manual')
    .where('state', '=', move.from)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
};

/** Notes what the bank said of a payout that it made. */
export const setReference = async (trx: Trx, id: string, reference: string, settledOn: string): Promise<void> => {
  await trx.updateTable('hand_payouts').set({ reference, settled_on: settledOn }).where('payout_id', '=', id).execute();
};
