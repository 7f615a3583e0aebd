import pg from 'pg';
import { findingOf, type Finding } from './finding.ts';

const LOOK_EVERY_MS = 100;
/** I12. A call to the provider inside of a transaction would hang for longer (`HANG_MS`). */
const LONGEST_MS = 2_000;
/** How late the watcher itself was is remembered for so many looks. */
const LOOKS_REMEMBERED = 50;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Looks at the shop's transactions again and again, and remembers the longest. Too long is one that was `open` for more
 * than two seconds or, where many wait for each other and are killed, one that was `idle` for so long between two of
 * its statements. By how much the watcher's own looks came late the machine was busy, and that is nobody's fault.
 */
export const watchTransactions = (url: string, what: 'idle' | 'open') => {
  let over = false;
  let longestMs = 0;
  let lateness: number[] = [];
  const tooLong = new Set<string>();

  const look = async (client: pg.Client): Promise<void> => {
    const { rows } = await client.query<{ ms: number; idle_ms: number; state: string; query: string }>(
      `SELECT (extract(epoch FROM clock_timestamp() - xact_start) * 1000)::integer AS ms, state, left(query, 120) AS query,
              CASE WHEN state LIKE 'idle in transaction%'
                THEN (extract(epoch FROM clock_timestamp() - state_change) * 1000)::integer ELSE 0 END AS idle_ms
         FROM pg_stat_activity
         WHERE application_name ~ '^dogear [0-9]' AND datname = current_database() AND state <> 'idle' AND xact_start IS NOT NULL`,
    );
    for (const { ms, idle_ms: idleMs, state, query } of rows) {
      longestMs = Math.max(longestMs, ms);
      const explained = Math.max(0, ...lateness);
      if ((what === 'open' ? ms : idleMs) - explained > LONGEST_MS)
        tooLong.add(`${state} after ${query.replaceAll(/\s+/g, ' ')}`);
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
          const began = performance.now();
          await look(client);
          await sleep(LOOK_EVERY_MS);
          lateness = [...lateness, performance.now() - began - LOOK_EVERY_MS].slice(-LOOKS_REMEMBERED);
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
      return findingOf('I12', `a transaction was ${what} for more than ${LONGEST_MS / 1000} s`, [...tooLong]);
    },
  };
};
