import { sql } from 'kysely';
import type { Db } from './db.ts';

/**
 * Runs `work` under an advisory lock of the database, or answers undefined where another process has it. The lock lives
 * as long as its connection, so that a process that dies leaves none behind, and no transaction is open meanwhile.
 */
export const withAdvisoryLock = <A>(db: Db, name: string, work: () => Promise<A>): Promise<A | undefined> =>
  db.connection().execute(async (connection) => {
    const key = sql`hashtextextended(${`only-one:${name}`}, 0)`;
    const { rows } = await sql<{ mine: boolean }>`SELECT pg_try_advisory_lock(${key}) AS mine`.execute(connection);
    if (rows[0]?.mine !== true) return undefined;
    try {
      return await work();
    } finally {
      await sql`SELECT pg_advisory_unlock(${key})`.execute(connection);
    }
  });
