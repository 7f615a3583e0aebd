import { sql } from 'kysely';
import type { Trx } from './db.ts';

/** Does all of `work` or, where it answers false, nothing of it; the transaction goes on either way. */
export const allOrNothing = async (trx: Trx, work: () => Promise<boolean>): Promise<boolean> => {
  await sql`SAVEPOINT all_or_nothing`.execute(trx);
  const isDone = await work();
  if (!isDone) await sql`ROLLBACK TO SAVEPOINT all_or_nothing`.execute(trx);
  return isDone;
};
