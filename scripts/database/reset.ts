import { rm } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { withClient } from '#server/platform/postgres/with-client.ts';
import { StartError } from '#server/platform/start-error.ts';
import { NAME } from '#server/platform/demo/cluster.ts';
import { InUse, startEmbeddedPostgres, type EmbeddedPostgres } from '#server/platform/demo/embedded-postgres.ts';
import { readOwner } from '#server/platform/demo/owner-lock.ts';
import { placeFor } from '#server/platform/demo/placement.ts';

const NO_SUCH_TABLE = '42P01';

const query = async <Row extends object>(url: string, text: string): Promise<Row[]> =>
  (await withClient(url, { name: 'reset' }, (client) => client.query<Row>(text))).rows;

/** Whether a shop is in the database, and one that is no demo; an older one has no such table. */
const holdsRealShop = async (url: string): Promise<boolean> => {
  const marks = await query<{ demo: boolean }>(url, 'SELECT demo FROM shop').catch((error: unknown) => {
    if (error instanceof pg.DatabaseError && error.code === NO_SUCH_TABLE) return [];
    throw error;
  });
  return marks.some(({ demo }) => !demo);
};

const startAlone = (dataDir: string, log: (line: string) => void): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({ dataDir, log }).catch((error: unknown) => {
    if (!(error instanceof InUse)) throw error;
    const pid = readOwner(placeFor(dataDir).dataDir)?.pid;
    const who = pid === undefined ? '' : ` (process ${pid})`;
    throw new StartError(`The shop in ${dataDir} is open${who}: close it, then reset it.`);
  });

/**
 * Takes everything out of the demo shop of a data folder: its database, its mail and what the payment stand-in
 * remembers; backups stay. The next start fills it as the first one did. Refuses a shop that is open, and one that is
 * no demo, in a sentence. Answers false where `confirmed` does.
 */
export const resetDemo = async (
  dataDir: string,
  confirmed: () => Promise<boolean>,
  log: (line: string) => void,
): Promise<boolean> => {
  const server = await startAlone(dataDir, log);
  try {
    if (await holdsRealShop(server.url))
      throw new StartError(`The shop in ${dataDir} is no demo: nothing was removed.`);
    if (!(await confirmed())) return false;
    await query(server.url.replace(`/${NAME}?`, '/postgres?'), `DROP DATABASE ${NAME} WITH (FORCE)`);
    await rm(path.join(dataDir, 'standins'), { recursive: true, force: true });
    return true;
  } finally {
    await server.stop();
  }
};
