import type { Db, Trx } from '#server/platform/postgres/db.ts';

export type ProblemKind = 'missing' | 'not-as-described' | 'damaged';

/** What a buyer complains about. */
export interface Problem {
  /** Null: all of the order. */
  readonly bookingId: string | null;
  readonly kind: ProblemKind;
  readonly words: string;
  /** What the seller offers to give back, in cents. */
  readonly offerCents: number | null;
  readonly openedAt: Date;
}

export const findProblem = (db: Db, orderId: string): Promise<Problem | undefined> =>
  db
    .selectFrom('order_problems')
    .select(['booking_id as bookingId', 'kind', 'words', 'offer_cents as offerCents', 'opened_at as openedAt'])
    .where('order_id', '=', orderId)
    .executeTakeFirst();

export const insertProblem = async (
  trx: Trx,
  orderId: string,
  problem: Pick<Problem, 'bookingId' | 'kind' | 'words'>,
): Promise<void> => {
  await trx
    .insertInto('order_problems')
    .values({
      order_id: orderId,
      booking_id: problem.bookingId,
      kind: problem.kind,
      words: problem.words,
      offer_cents: null,
    })
    .execute();
};

export const setOffer = async (trx: Trx, orderId: string, cents: number): Promise<void> => {
  await trx.updateTable('order_problems').set({ offer_cents: cents }).where('order_id', '=', orderId).execute();
};
