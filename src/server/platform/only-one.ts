import { sql } from 'kysely';
import type { Db } from './db.ts';

/**
 * Runs `work` unless another process of the shop is at it; answers undefined then. The lock lives as long as its connection,
 * so that a process that dies leaves none behind, and no transaction is open meanwhile.
 */
export const onlyOne = <A>(db: Db, name: string, work: () => Promise<A>): Promise<A | undefined> =>
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
