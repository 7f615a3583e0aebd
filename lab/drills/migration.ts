import path from 'node:path';
import pg from 'pg';
import { migrate } from '#server/platform/postgres/migrate.ts';
import { startChild } from '#lab/proofs/child.ts';
import { engageCast } from '#lab/proofs/crowd/people.ts';
import { openStage } from '#lab/proofs/stage.ts';
import { createBuyers } from './buying.ts';
import { createClient } from './client.ts';
import { sleep, type DrillOptions, type Outcome } from './drill.ts';
import { counted, load, newTally, p99Of, wrongIn } from './load.ts';
import { lookAround, readSights } from './visits.ts';

const root = path.join(import.meta.dirname, '../..');
const FOLDER = path.join(import.meta.dirname, 'migrations');

const SIZES = { full: { listings: 1_000_000, perSecond: 50 }, short: { listings: 50_000, perSecond: 20 } } as const;
/** Rows that are filled at once, far from the two seconds of a lock. */
const BATCH = 2_000;
const PURCHASE_EACH_MS = 1_000;
const COPIES = 3_000;

/**
 * Adds to the tables of a running shop what the next release brings, as an upgrade does, while people visit and buy.
 */
export const drillMigration = async ({ say, short }: DrillOptions): Promise<Outcome> => {
  const size = short ? SIZES.short : SIZES.full;
  const stage = await openStage({ tree: root, env: {} });
  const url = stage.database.url;
  const db = new pg.Client({ connectionString: url });
  try {
    const [shop] = stage.apps;
    await shop.start().said(/Ctrl-C closes the shop/);
    say(`Putting ${size.listings} listings into the shop.`);
    const seed = startChild(root, 'scripts/seed.ts', ['--books', String(size.listings)], { DATABASE_URL: url });
    if ((await seed.exited).code !== 0) throw new Error(seed.output());
    await db.connect();
    const cast = await engageCast(url, { buyers: COPIES, copies: COPIES });
    const sights = await readSights(url);
    const client = createClient(`http://127.0.0.1:${shop.port}`, { connections: 16 });
    const buyers = createBuyers(client, stage.provider);
    const [visits, failed] = [newTally(), [] as string[]];
    let [bought, isOver] = [0, false];
    const buy = async (): Promise<void> => {
      for (let n = 0; !isOver && n < COPIES; n += 1) {
        const [buyer, copy] = [cast.buyers[n], cast.copies[n]];
        if (buyer === undefined || copy === undefined) return;
        const ended = await buyers.buy(buyer, copy);
        if ('paid' in ended) bought += 1;
        else failed.push(`${ended.step}: ${ended.answered === undefined ? 'declined' : wrongIn(ended.answered)}`);
        await sleep(PURCHASE_EACH_MS);
      }
    };
    const people = Promise.all([load(visits, size.perSecond, lookAround([client], sights), () => isOver), buy()]);
    const began = performance.now();
    const step = async (name: string, work: () => Promise<unknown>): Promise<void> => {
      const from = performance.now();
      await work();
      say(`${name}: ${((performance.now() - from) / 1_000).toFixed(1)} s`);
    };
    const apply = (name: string): Promise<void> =>
      step(name, () => migrate(url, { files: { folder: FOLDER, names: [name] } }));
    try {
      await apply('9001-expand.sql');
      await step('filled in batches', async () => {
        let last = '00000000-0000-0000-0000-000000000000';
        for (;;) {
          const { rows } = await db.query<{ id: string | null }>(
            `WITH next AS (SELECT id FROM listings WHERE id > $1 ORDER BY id LIMIT ${BATCH}),
                  filled AS (UPDATE listings SET drill_shelf = 'A' FROM next WHERE listings.id = next.id)
             SELECT max(id::text) AS id FROM next`,
            [last],
          );
          if (rows[0]?.id == null) return;
          last = rows[0].id;
        }
      });
      await apply('9002-index.sql');
    } finally {
      isOver = true;
      await people;
    }
    client.close();
    const seconds = (performance.now() - began) / 1_000;
    const wrong = [...visits.failed, ...failed];
    const problems = wrong.length > 0 ? [counted(wrong)] : [];
    if (bought === 0) problems.push('Nothing was bought meanwhile.');
    return {
      shown:
        `${size.listings} listings got a column, filled in batches, an index and a check in ${seconds.toFixed(0)} s, while the release before ` +
        `answered ${visits.asked} visits (p99 ${p99Of(visits).toFixed(0)} ms) and ${bought} purchases, ${wrong.length} failed.`,
      problems,
    };
  } finally {
    await db.end().catch(() => {});
    await stage.close();
  }
};
