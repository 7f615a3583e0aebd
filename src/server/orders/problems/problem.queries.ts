import type { Statement } from '#contract/orders/states.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

export type ProblemKind = 'missing' | 'not-as-described' | 'damaged' | 'withdrawal';

/** What a buyer complains about. */
export interface Problem {
  /** Null: all of the order. */
  readonly bookingId: string | null;
  readonly kind: ProblemKind;
  /** What is not as described, if they said so. */
  readonly statement: Statement | null;
  readonly words: string;
  /** What the seller offers to give back, in cents. */
  readonly offerCents: number | null;
  /** How the seller wants the book back. */
  readonly sendBack: string | null;
  readonly openedAt: Date;
}

export const findProblem = (db: Db, orderId: string): Promise<Problem | undefined> =>
  db
    .selectFrom('order_problems')
    .select([
      'booking_id as bookingId',
      'kind',
      'statement',
      'words',
      'offer_cents as offerCents',
      'send_back as sendBack',
      'opened_at as openedAt',
    ])
    .where('order_id', '=', orderId)
    .executeTakeFirst();

export const insertProblem = async (
  trx: Trx,
  orderId: string,
  problem: Pick<Problem, 'bookingId' | 'kind' | 'statement' | 'words'>,
): Promise<void> => {
  await trx
    .insertInto('order_problems')
    .values({
      order_id: orderId,
      booking_id: problem.bookingId,
      kind: problem.kind,
      statement: problem.statement,
      words: problem.words,
      offer_cents: null,
    })
    .execute();
};

export const setOffer = async (trx: Trx, orderId: string, cents: number): Promise<void> => {
  await trx.updateTable('order_problems').set({ offer_cents: cents }).where('order_id', '=', orderId).execute();
};

export const setSendBack = async (trx: Trx, orderId: string, sendBack: string): Promise<void> => {
  await trx.updateTable('order_problems').set({ send_back: sendBack }).where('order_id', '=', orderId).execute();
};
