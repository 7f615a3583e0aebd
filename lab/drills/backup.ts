import path from 'node:path';
import { checkInvariants } from '#server/payments/reconciliation/invariants.service.ts';
import { connect } from '#server/platform/postgres/db.ts';
import { startChild } from '#lab/proofs/child.ts';
import { engageCast } from '#lab/proofs/crowd/people.ts';
import { openStage } from '#lab/proofs/stage.ts';
import { createBuyers } from './buying.ts';
import { createClient } from './client.ts';
import { sleep, type DrillOptions, type Outcome } from './drill.ts';
import { withClient } from '#test/databases/with-client.ts';

const root = path.join(import.meta.dirname, '../..');

const SIZES = { full: { copies: 600, listings: 100_000 }, short: { copies: 40, listings: 0 } } as const;
const AT_ONCE = 4;

/** Runs a command of the shop and answers how long it took; throws what it printed when it fails. */
const run = async (script: string, args: string[], env: Record<string, string>): Promise<number> => {
  const began = performance.now();
  const child = startChild(root, script, args, env);
  const { code } = await child.exited;
  if (code !== 0) throw new Error(`${script} ended with ${code}:\n${child.output()}`);
  return (performance.now() - began) / 1_000;
};

interface Restored {
  readonly paid: ReadonlySet<string>;
  readonly payments: readonly { intent: string; cents: number }[];
  readonly broken: readonly string[];
}

const readRestored = async (url: string): Promise<Restored> => {
  const { db, close } = connect(url, { connections: 1, timeouts: false });
  try {
    const broken = (await checkInvariants(db)).filter(({ violations }) => violations > 0);
    const payments = await db.selectFrom('payments').select(['booking_id', 'provider_id', 'amount_cents']).execute();
    return {
      paid: new Set(payments.map(({ booking_id: booking }) => booking)),
      payments: payments.map(({ provider_id: intent, amount_cents: cents }) => ({ intent, cents })),
      broken: broken.map(({ id, violations }) => `${id} (${violations})`),
    };
  } finally {
    await close();
  }
};

/**
 * Takes a backup while people buy, restores it into an empty database, and looks whether it is the shop of one moment:
 * every promise about money and copies is kept, all that was acknowledged before it began is there, and each payment in
 * it is one the provider took, to the cent.
 */
export const drillBackup = async ({ say, short }: DrillOptions): Promise<Outcome> => {
  const size = short ? SIZES.short : SIZES.full;
  const stage = await openStage({ tree: root, env: {} });
  const name = `dogear_restored_${process.pid}_${Date.now().toString(36)}`;
  const restoredUrl = new URL(stage.database.url);
  restoredUrl.pathname = `/${name}`;
  const problems: string[] = [];
  try {
    const [shop] = stage.apps;
    await shop.start().said(/Ctrl-C closes the shop/);
    const env = { DATABASE_URL: stage.database.url, DATA_DIR: path.join(stage.folder, 'app'), NODE_ENV: 'production' };
    if (size.listings > 0) {
      say(`Putting ${size.listings} listings into the shop.`);
      await run('scripts/seed.ts', ['--books', String(size.listings)], env);
    }
    const cast = await engageCast(stage.database.url, { buyers: size.copies, copies: size.copies });
    const till = createClient(`http://127.0.0.1:${shop.port}`, { connections: AT_ONCE * 2 });
    const buyers = createBuyers(till, stage.provider);
    const acknowledged = new Map<string, number>();
    const failed: string[] = [];
    let next = 0;
    let isOver = false;
    const shopper = async (): Promise<void> => {
      while (!isOver && next < cast.copies.length) {
        const n = next++;
        const [buyer, copy] = [cast.buyers[n], cast.copies[n]];
        if (buyer === undefined || copy === undefined) return;
        const ended = await buyers.buy(buyer, copy);
        if ('paid' in ended) acknowledged.set(ended.paid, performance.now());
        else failed.push(`${ended.step}: ${ended.answered?.status ?? 'declined'}`);
      }
    };
    const shoppers = Promise.all(Array.from({ length: AT_ONCE }, shopper));
    while (acknowledged.size < size.copies / 10) await sleep(20);
    const startedAt = performance.now();
    const before = [...acknowledged.keys()];
    const file = path.join(stage.folder, 'shop.dump');
    const backupSeconds = await run('scripts/backup.ts', [file], env);
    const during = [...acknowledged.values()].filter((at) => at > startedAt).length;
    isOver = true;
    await shoppers;
    till.close();
    say(`Backed up in ${backupSeconds.toFixed(1)} s, while ${during} purchases were made.`);
    await withClient(stage.database.url, (client) =>
      client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`),
    );
    const restoreSeconds = await run('scripts/restore.ts', [file], { ...env, DATABASE_URL: restoredUrl.href });
    const restored = await readRestored(restoredUrl.href);
    const { intents } = await stage.provider.readBooks();
    const taken = new Map(intents.filter(({ status }) => status === 'succeeded').map(({ id, amount }) => [id, amount]));
    const lost = before.filter((booking) => !restored.paid.has(booking)).length;
    const wrong = restored.payments.filter(({ intent, cents }) => taken.get(intent) !== cents).length;
    if (restored.broken.length > 0) problems.push(`Promises are broken: ${restored.broken.join(', ')}.`);
    if (lost > 0) problems.push(`${lost} purchases that were acknowledged before are not in it.`);
    if (wrong > 0) problems.push(`${wrong} payments in it are not as the provider has them.`);
    if (during === 0) problems.push('Nobody bought meanwhile.');
    if (failed.length > 0) problems.push(`Purchases failed: ${[...new Set(failed)].join(', ')}.`);
    return {
      shown:
        `a backup taken in ${backupSeconds.toFixed(1)} s while ${during} purchases were made, restored in ${restoreSeconds.toFixed(1)} s: ` +
        `${restored.payments.length} payments, all as the provider has them, ${before.length} acknowledged before, ${lost} lost, ` +
        `${restored.broken.length} promises broken.`,
      problems,
    };
  } finally {
    await withClient(stage.database.url, (client) =>
      client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
    ).catch(() => {});
    await stage.close();
  }
};
