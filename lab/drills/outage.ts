import path from 'node:path';
import pg from 'pg';
import { SOCIAL_FAILURES } from '#contract/users/social.ts';
import { engageCast, type Cast } from '#lab/proofs/crowd/people.ts';
import { openStage, type Stage } from '#lab/proofs/stage.ts';
import { aBrowser, typed } from '#test/sign-in/way.ts';
import { createBuyers } from './buying.ts';
import { createClient } from './client.ts';
import { sleep, until, type DrillOptions, type Outcome, type Say } from './drill.ts';
import { openHttpGate, openTcpGate, type Mode } from './gate.ts';
import { counted, load, newTally, p99Of, wrongIn, type Tally } from './load.ts';
import { lookAround, readSights } from './visits.ts';

const root = path.join(import.meta.dirname, '../..');

const SIZES = {
  full: { perSecond: 100, beforeMs: 15_000, outageMs: 30_000 },
  short: { perSecond: 30, beforeMs: 2_000, outageMs: 4_000 },
} as const;
type Size = (typeof SIZES)[keyof typeof SIZES];

/** Within this after an outage nothing of it may be left. */
const CATCH_UP_MS = 120_000;
/** Browsing may be so much slower while a service is away. */
const MOST_SLOWER = 1.5;
const COPIES = 1_000;
/** Between two purchases, and two sign-ins. */
const PAUSE_MS = 700;

type Service = 'SMTP' | 'Stripe' | 'sign-in';
type Away = readonly [service: Service, mode: 'cut' | 'hang'];

const ALL: readonly Away[] = (['Stripe', 'SMTP', 'sign-in'] as const).flatMap((service) => [
  [service, 'cut'] as const,
  [service, 'hang'] as const,
]);
const FEW: readonly Away[] = [
  ['Stripe', 'cut'],
  ['SMTP', 'cut'],
  ['sign-in', 'hang'],
];

/** One service, away in one way: how people fared. */
interface Episode {
  readonly name: string;
  /** Browsing: the time of one answer in a hundred, in ms. */
  readonly during: number;
  readonly caughtUpMs: number;
  readonly problems: readonly string[];
}

/** What people do beside browsing, over and over; what they are answered while a service is away is noted. */
interface Errands {
  readonly tally: Tally;
  /** Refusals that were told as such: the service is away, try again. */
  refused: number;
  readonly done: Promise<unknown>;
}

const openShop = async (stage: Stage) => {
  const standins = stage.provider.url;
  // People's browsers go to a service themselves: the pages on which they choose are there, though the shop cannot
  // reach it.
  const signIn = await openHttpGate(standins, (at) => at.startsWith('/sign-in/') && !/authorize|decide/.test(at));
  const smtp = await openTcpGate(await (await fetch(`${standins}/mailbox/address`)).text());
  const [shop] = stage.apps;
  const child = shop.start({ STANDINS_URL: signIn.url, SMTP_URL: smtp.url });
  await child.said(/Ctrl-C closes the shop/);
  const setStripe = async (mode: Mode, outageMs: number): Promise<void> => {
    const calls = mode === 'cut' ? [{ fault: 'cut', ratio: 1 }] : [{ fault: 'hang', ratio: 1, ms: outageMs }];
    // What it could not tell meanwhile, Stripe tells later.
    const faults = mode === 'well' ? [] : [...calls, { fault: 'delay', ratio: 1, ms: outageMs }];
    await stage.provider.control('faults', { faults });
  };
  return {
    url: `http://127.0.0.1:${shop.port}`,
    publicUrl: stage.door,
    set: async (service: Service, mode: Mode, outageMs: number): Promise<void> => {
      if (service === 'Stripe') await setStripe(mode, outageMs);
      else (service === 'SMTP' ? smtp : signIn).set(mode);
    },
    close: () => {
      signIn.close();
      smtp.close();
    },
  };
};

/**
 * Takes away Stripe, the mail server and the sign-in provider, each cut off and each hanging, while people browse, buy
 * and sign in: browsing must not notice, nothing may end in a defect, and all that was begun must be done soon after.
 */
export const drillOutage = async ({ say, short }: DrillOptions): Promise<Outcome> => {
  const size = short ? SIZES.short : SIZES.full;
  const stage = await openStage({ tree: root, env: {} });
  const db = new pg.Client({ connectionString: stage.database.url });
  const closers: (() => unknown)[] = [];
  try {
    const shop = await openShop(stage);
    closers.push(shop.close);
    await db.connect();
    closers.push(() => db.end());
    const cast = await engageCast(stage.database.url, { buyers: COPIES, copies: COPIES });
    const sights = await readSights(stage.database.url);
    const clients = [createClient(shop.url, { connections: 32 }), createClient(shop.url, { connections: 32 })];
    const till = createClient(shop.url, { connections: 64, timeoutMs: 60_000 });
    closers.push(() => [...clients, till].forEach((client) => client.close()));
    const world = {
      stage,
      shop,
      cast,
      db,
      buyers: createBuyers(till, stage.provider),
      look: lookAround(clients, sights),
      calm: newTally(),
    };
    await warmUp(world, size);
    const episodes: Episode[] = [];
    for (const away of short ? FEW : ALL) episodes.push(await episode(world, away, size, say));
    const slowest = Math.max(...episodes.map(({ during }) => during)) / p99Of(world.calm);
    const latest = Math.max(...episodes.map(({ caughtUpMs }) => caughtUpMs));
    const problems = episodes.flatMap((one) => one.problems.map((problem) => `${one.name}: ${problem}`));
    // In some seconds on a busy machine one answer in a hundred is as late as chance has it.
    if (!short && slowest > MOST_SLOWER) problems.push(`Browsing was ${slowest.toFixed(2)} times as slow.`);
    return {
      shown:
        `${episodes.map(({ name }) => name).join(', ')}, each for ${size.outageMs / 1_000} s under ${size.perSecond} requests/s: ` +
        `browsing p99 at most ${slowest.toFixed(2)} times that before, all caught up within ${(latest / 1_000).toFixed(0)} s.`,
      problems,
    };
  } finally {
    for (const close of closers.reverse()) await close();
    await stage.close();
  }
};

interface World {
  readonly stage: Stage;
  readonly shop: Awaited<ReturnType<typeof openShop>>;
  readonly cast: Cast;
  readonly db: pg.Client;
  readonly buyers: ReturnType<typeof createBuyers>;
  readonly look: ReturnType<typeof lookAround>;
  /**
   * Browsing while nothing was away, before each episode: all of it, as the slowest of a few seconds are what chance
   * makes them.
   */
  readonly calm: Tally;
}

let bought = 0;

const buyNext = ({ cast, buyers }: World) => {
  const [buyer, copy] = [cast.buyers[bought], cast.copies[bought]];
  bought += 1;
  if (buyer === undefined || copy === undefined) throw new Error('All copies are sold.');
  return buyers.buy(buyer, copy);
};

const signInOnce = async ({ shop }: World): Promise<string> => {
  const browser = aBrowser({ config: { publicUrl: shop.publicUrl, https: false } }, shop.url);
  const { outcome } = await browser.signIn('google', typed('outage@example.com'));
  return outcome;
};

const isFailure = (outcome: string): boolean => SOCIAL_FAILURES.some((failure) => failure === outcome);

const warmUp = async (world: World, size: Size): Promise<void> => {
  const deadline = performance.now() + size.beforeMs;
  await load(newTally(), size.perSecond, world.look, () => performance.now() > deadline);
  const purchase = await buyNext(world);
  if (!('paid' in purchase)) throw new Error(`Nothing can be bought: ${purchase.step}`);
  const outcome = await signInOnce(world);
  if (isFailure(outcome)) throw new Error(`Nobody can sign in: ${outcome}`);
};

/** Purchases and sign-ins while a service is away. */
const errandsOf = (world: World, isOver: () => boolean): Errands => {
  const errands = { tally: newTally(), refused: 0 };
  const open = new Set<Promise<void>>();
  const purchase = async (): Promise<void> => {
    const ended = await buyNext(world);
    errands.tally.asked += 1;
    if ('paid' in ended) return;
    // The card itself, or the shop's word that the provider does not answer.
    if (ended.answered === undefined || [502, 503].includes(ended.answered.status)) errands.refused += 1;
    else errands.tally.failed.push(`${ended.step}: ${wrongIn(ended.answered)}`);
  };
  const signIn = async (): Promise<void> => {
    errands.tally.asked += 1;
    const outcome = await signInOnce(world).catch((error: unknown) => String(error));
    if (outcome === 'down' || outcome === 'slow') errands.refused += 1;
    else if (outcome.startsWith('Error') || isFailure(outcome)) errands.tally.failed.push(`sign-in: ${outcome}`);
  };
  const run = async (): Promise<void> => {
    while (!isOver()) {
      for (const one of [purchase(), signIn()]) {
        open.add(one);
        void one.finally(() => open.delete(one));
      }
      await sleep(PAUSE_MS);
    }
    await Promise.all(open);
  };
  return Object.assign(errands, { done: run() });
};

/** What the provider has taken, the shop knows; mail has left; whoever wants to buy or sign in can. */
const leftUndone = async (world: World): Promise<string | undefined> => {
  const { rows } = await world.db.query<{ waiting: number; dead: number }>(
    `SELECT (SELECT count(*) FROM outbox WHERE sent_at IS NULL AND dead_at IS NULL)::int AS waiting,
            (SELECT count(*) FROM outbox WHERE dead_at IS NOT NULL)::int AS dead`,
  );
  if ((rows[0]?.waiting ?? 0) > 0) return `${rows[0]?.waiting} mails wait`;
  if ((rows[0]?.dead ?? 0) > 0) return `${rows[0]?.dead} mails were given up`;
  const paid = await world.db.query<{ id: string }>('SELECT provider_id AS id FROM payments');
  const known = new Set(paid.rows.map(({ id }) => id));
  const { intents } = await world.stage.provider.readBooks();
  const unknown = intents.filter(({ id, status }) => status === 'succeeded' && !known.has(id)).length;
  if (unknown > 0) return `${unknown} payments are not known`;
  if (!('paid' in (await buyNext(world)))) return 'nothing can be bought';
  const outcome = await signInOnce(world).catch(() => 'down');
  return isFailure(outcome) ? `nobody can sign in (${outcome})` : undefined;
};

const episode = async (world: World, [service, mode]: Away, size: Size, say: Say): Promise<Episode> => {
  const name = `${service} ${mode === 'cut' ? 'cut' : 'hanging'}`;
  const problems: string[] = [];
  const browse = async (forMs: number, tally = newTally()): Promise<number> => {
    const deadline = performance.now() + forMs;
    const errands = errandsOf(world, () => performance.now() > deadline);
    await load(tally, size.perSecond, world.look, () => performance.now() > deadline);
    const failed = tally.failed.splice(0);
    if (failed.length > 0) problems.push(`browsing failed (${counted(failed)}).`);
    waiting.push(errands);
    return p99Of(tally);
  };
  const waiting: Errands[] = [];
  const before = await browse(size.beforeMs, world.calm);
  await Promise.all(waiting.map(({ done }) => done));
  await world.shop.set(service, mode, size.outageMs);
  const during = await browse(size.outageMs);
  await world.shop.set(service, 'well', 0);
  const backAt = performance.now();
  await Promise.all(waiting.map(({ done }) => done));
  // A mail that failed is tried again after a minute; a short drill does not wait for it.
  if (size === SIZES.short) await world.db.query('UPDATE outbox SET next_try_at = now() WHERE sent_at IS NULL');
  let undone: string | undefined = 'unknown';
  const isDone = await until(async () => (undone = await leftUndone(world)) === undefined, CATCH_UP_MS, 1_000);
  const caughtUpMs = performance.now() - backAt;
  if (!isDone) problems.push(`after ${CATCH_UP_MS / 1_000} s ${undone}.`);
  const failed = waiting.flatMap(({ tally }) => tally.failed);
  if (failed.length > 0) problems.push(`errands failed otherwise than by being told so (${counted(failed)}).`);
  const refused = waiting[1]?.refused ?? 0;
  if (waiting[0]?.refused !== 0) problems.push('errands were refused before.');
  if (service !== 'SMTP' && refused === 0) problems.push('nobody noticed, so it was not away.');
  say(
    `${name}: browsing p99 ${before.toFixed(0)} ms before, ${during.toFixed(0)} ms during; ` +
      `${refused} purchases and sign-ins were told to try again; caught up after ${(caughtUpMs / 1_000).toFixed(0)} s`,
  );
  return { name, during, caughtUpMs, problems };
};
