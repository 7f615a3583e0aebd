import { sql } from 'kysely';
import { REAL_NOW } from '#server/platform/postgres/clock.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

export type EventOutcome = 'acted' | 'not-ours' | 'ignored';

/** Whether an event was noted before, and the time by the database's clock. */
export const lookUpEvent = async (db: Db, id: string): Promise<{ isKnown: boolean; now: Date }> => {
  const { rows } = await sql<{ isKnown: boolean; now: Date }>`
    SELECT EXISTS (SELECT FROM provider_events WHERE id = ${id}) AS "isKnown", ${REAL_NOW} AS now`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the database answered nothing');
  return row;
};

/** Notes an event of the provider, in the transaction of its effect; false when it was noted before. */
export const insertEvent = async (
  trx: Trx,
  event: { id: string; type: string; receivedAt: Date; outcome: EventOutcome },
): Promise<boolean> => {
  const result = await trx
    .insertInto('provider_events')
    .values({ id: event.id, type: event.type, received_at: event.receivedAt, outcome: event.outcome })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
};
