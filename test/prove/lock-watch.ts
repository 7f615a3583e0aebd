import pg from 'pg';
import { findingOf, type Finding } from './finding.ts';

const LOOK_EVERY_MS = 100;
/**
 * I12 allows two seconds; a third is for a machine that is busy being killed, where a process may not run for a while. A call to
 * the provider inside of a transaction would hang for longer (`HANG_MS`).
 */
const LONGEST_MS = 3_000;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Looks at the shop's transactions again and again, and remembers the longest. */
export const watchTransactions = (url: string) => {
  let over = false;
  let longestMs = 0;
  const tooLong = new Set<string>();

  const look = async (client: pg.Client): Promise<void> => {
    const { rows } = await client.query<{ ms: number; state: string; query: string }>(
      `SELECT (extract(epoch FROM clock_timestamp() - xact_start) * 1000)::integer AS ms, state, left(query, 120) AS query
         FROM pg_stat_activity
         WHERE application_name = 'dogear' AND datname = current_database() AND state <> 'idle' AND xact_start IS NOT NULL`,
    );
    for (const { ms, state, query } of rows) {
      longestMs = Math.max(longestMs, ms);
      if (ms > LONGEST_MS) tooLong.add(`${state} after ${query.replaceAll(/\s+/g, ' ')}`);
    }
  };

  const watch = async (): Promise<void> => {
    while (!over) {
      const client = new pg.Client({
        connectionString: url,
        application_name: 'prove',
        connectionTimeoutMillis: 2_000,
      });
      client.on('error', () => {});
      try {
        await client.connect();
        while (!over) {
          await look(client);
          await sleep(LOOK_EVERY_MS);
        }
      } catch {
        // the database is being killed, too
        await sleep(LOOK_EVERY_MS);
      } finally {
        await client.end().catch(() => {});
      }
    }
  };
  const watching = watch();

  return {
    longestMs: () => longestMs,
    stop: async (): Promise<Finding[]> => {
      over = true;
      await watching;
      return findingOf('I12', `a transaction was open for more than ${LONGEST_MS / 1000} s`, [...tooLong]);
    },
  };
};
