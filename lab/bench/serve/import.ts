// npm run import of goodbooks-10k.csv beside PostgreSQL's own COPY of the same rows into the same table.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from, to } from 'pg-copy-streams';
import { startChild } from '#lab/proofs/child.ts';
import { dropDatabase, withClient, type BenchDatabase, type Server } from './database.ts';
import { makeDemoShop } from './load.ts';

const root = path.join(import.meta.dirname, '../../..');
const ROUNDS = 3;
const IMPORT_LIMIT_MS = 120_000;
const COPY_LIMIT_MS = 60_000;
const SELLER = 'seller@example.com';
const CATEGORY = 'classics';

/** Seconds of each round. */
export interface Imported {
  readonly rows: number;
  readonly importSeconds: readonly number[];
  readonly copySeconds: readonly number[];
}

/** What an import writes; the rest the database computes. */
const COLUMNS = `id, seller_id, category_id, title, authors, isbn13, published_year, publisher, image_url, original_cents,
  resale_cents, years_of_use, location, phone, details, condition, status, import_key, published_at, updated_at`;
const IMPORTED = `import_key IS NOT NULL`;

const runImport = async (file: string, database: BenchDatabase, folder: string): Promise<number> => {
  const startedAt = performance.now();
  const child = startChild(root, 'scripts/import.ts', [file, '--seller', SELLER, '--category', CATEGORY, '--demo'], {
    NODE_ENV: 'production',
    DOGEAR_MODE: 'demo',
    DATABASE_URL: database.appUrl,
    DATABASE_MIGRATE_URL: database.url,
    DATABASE_REPLICA_URLS: '',
    // Rows that cannot be listings are told there.
    INIT_CWD: folder,
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), IMPORT_LIMIT_MS);
  const { code } = await child.exited;
  clearTimeout(limit);
  if (code !== 0) throw new Error(`The import ended with ${code}:\n${child.output()}`);
  return (performance.now() - startedAt) / 1_000;
};

const copyOut = async (client: pg.Client): Promise<Buffer> => {
  const stream = client.query(to(`COPY (SELECT ${COLUMNS} FROM listings WHERE ${IMPORTED}) TO STDOUT`));
  const limit = setTimeout(() => stream.destroy(new Error('COPY TO did not end.')), COPY_LIMIT_MS);
  return buffer(stream).finally(() => clearTimeout(limit));
};

const copyIn = async (client: pg.Client, rows: Buffer): Promise<number> => {
  const startedAt = performance.now();
  // Ended by the pipeline: COPY waits for ever for a stream that is not.
  await pipeline(Readable.from([rows]), client.query(from(`COPY listings (${COLUMNS}) FROM STDIN`)), {
    signal: AbortSignal.timeout(COPY_LIMIT_MS),
  });
  return (performance.now() - startedAt) / 1_000;
};

const forget = async (client: pg.Client): Promise<number> => {
  const { rowCount } = await client.query(`DELETE FROM listings WHERE ${IMPORTED}`);
  await client.query('VACUUM (ANALYZE) listings');
  return rowCount ?? 0;
};

/** In turn, each into the table as the demo shop has it, all indexes and triggers in place. */
export const measureImport = async (server: Server, file: string, folder: string): Promise<Imported> => {
  const database = await makeDemoShop(server, `dogear_bench_import_${process.pid}`);
  await mkdir(folder, { recursive: true });
  try {
    return await withClient(database.url, async (client) => {
      const importSeconds: number[] = [];
      const copySeconds: number[] = [];
      let rows = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        importSeconds.push(await runImport(file, database, folder));
        const same = await copyOut(client);
        rows = await forget(client);
        copySeconds.push(await copyIn(client, same));
        const copied = await forget(client);
        if (copied !== rows) throw new Error(`COPY made ${copied} rows of ${rows}.`);
      }
      return { rows, importSeconds, copySeconds };
    });
  } finally {
    await dropDatabase(server, database.name);
  }
};
