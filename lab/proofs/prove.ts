import path from 'node:path';
import { seededRandom } from '#standins/stripe/faults.ts';
import { check } from './books/check.ts';
import { crowd } from './crowd/crowd.ts';
import { findingOf, type Finding } from './books/finding.ts';
import { openHistory, type History } from './crowd/history.ts';
import { watchTransactions } from './books/lock-watch.ts';
import { createDeliveries, InVain } from './crowd/deliveries.ts';
import { CRASH_POINTS, createNemesis, PAYOUT_POINTS, type Deaths } from './crowd/nemesis.ts';
import { createFirstRefusal, WANT_POINTS } from './crowd/first-refusal.ts';
import { engageCast, type Cast, type Copy, type Person } from './crowd/people.ts';
import { purchase } from './crowd/purchases.ts';
import { quietScenes, SCENE_CAST } from './crowd/quiet-scenes.ts';
import { rush } from './crowd/rush.ts';
import { createShopClient } from './crowd/shop-client.ts';
import { createShopper, type ShopperDeps } from './crowd/shopper.ts';
import type { Size } from './sizes.ts';
import { openStage, type Stage } from './stage.ts';

/** What can be played alone. */
export type ProofPart = 'quiet scenes' | 'rush' | 'deliveries' | 'first refusal';

export interface ProveOptions {
  /** The project whose server is put to the proof. */
  readonly tree: string;
  readonly size: Size;
  readonly seed: number;
  readonly say: (line: string) => void;
  /** Where the clients' log is kept; else it goes with the run. */
  readonly historyFile?: string | undefined;
  /** One part alone, and what it left behind. */
  readonly only?: ProofPart | undefined;
  /** Ends everything in order. */
  readonly signal?: AbortSignal;
}

/** Somebody pressed Ctrl-C. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** What a run came to. */
export interface Verdict {
  readonly findings: readonly Finding[];
  readonly seconds: number;
}

const PATIENCE_MS = 30_000;
const LOOK_MS = 100;
const SECONDS_A_KILL = 2;
/** Longer than any transaction may be open, shorter than the shop waits for the provider. */
const HANG_MS = 4_200;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** What goes wrong between the provider and the shop while people buy. */
const FAULTS = [
  { fault: 'drop', ratio: 0.2 },
  { fault: 'double', ratio: 0.2 },
  { fault: 'reorder', ratio: 0.2 },
  { fault: 'cut', ratio: 0.02 },
  { fault: 'fail', ratio: 0.01 },
  { fault: 'hang', next: 4, ms: HANG_MS, on: 'POST /v1/payment_intents' },
  { fault: 'hang', next: 2, ms: HANG_MS, on: 'POST /v1/payment_intents/:id/cancel' },
  { fault: 'cut', ratio: 0.03, on: 'POST /v1/payment_intents/:id/confirm' },
];

/** Answers to transfers are lost for good: as often as both processes of the shop ask before they give up. */
const LOST_TRANSFER = [{ fault: 'cut', next: 6, on: 'POST /v1/transfers' }];

/**
 * What no webhook told, because it was lost for good, must be seen within a minute and not within a day: so everything
 * is compared often.
 */
const ENV = {
  HOLD_MINUTES: '30',
  RECONCILE_SECONDS: '2',
  RECONCILE_ALL_SECONDS: '10',
  // So that orders can be closed without those that nobody hands over being cancelled.
  ORDER_PROBLEM_HOURS: '1',
};

/** Runs the proof on a stage of its own, and clears it away whatever happens. */
export const prove = async (options: ProveOptions): Promise<Verdict> => {
  const began = performance.now();
  const stage = await openStage({ tree: options.tree, env: ENV });
  try {
    const interruption = new Promise<never>((_resolve, reject) => {
      options.signal?.addEventListener('abort', () => reject(new Interrupted()));
      if (options.signal?.aborted === true) reject(new Interrupted());
    });
    const findings = await Promise.race([play(stage, options), interruption]);
    return { findings, seconds: (performance.now() - began) / 1000 };
  } finally {
    await stage.close();
  }
};

/**
 * In the order of a shop's life: opened and migrated, crowded, then bought from while it is killed, and left to settle.
 */
const play = async (stage: Stage, options: ProveOptions): Promise<Finding[]> => {
  const { size, say } = options;
  const history = openHistory(options.historyFile ?? path.join(stage.folder, 'history.jsonl'));
  const random = seededRandom(options.seed);
  await openApps(stage, size, say);
  const cast = await engageCast(stage.database.url, {
    buyers: size.buyers,
    copies: SCENE_CAST + size.rush.copies + size.purchases.count + 2 * CRASH_POINTS.length,
    theirCopies: size.deliveries.orders + PAYOUT_POINTS.length,
    newSellers: PAYOUT_POINTS.length,
  });
  const [forScenes, forRush, forTrade, forVisits] = split(cast.copies, [
    SCENE_CAST,
    size.rush.copies,
    size.purchases.count,
  ]);
  const shop = createShopClient(stage.doorOfAnApp);
  await shop.signIn([...cast.buyers, cast.bookseller, ...cast.newSellers]);
  const shopper = { shop, provider: stage.provider, history, random, patienceMs: PATIENCE_MS, admin: cast.admin };
  const findings: Finding[] = [];
  const isPlayed = (part: ProofPart): boolean => options.only === undefined || options.only === part;
  if (isPlayed('quiet scenes')) {
    const scenes = await quietScenes(shopper, stage.database.url, { buyers: cast.buyers, copies: forScenes });
    findings.push(...scenes.findings);
    say(`Quiet scenes: ${scenes.says}.`);
  }
  let isCalm = true;
  if (isPlayed('rush')) {
    const crowded = await rush({ shop, history, random, size: size.rush }, cast.buyers, forRush);
    findings.push(...crowded.findings);
    say(`Rush: ${crowded.says}.`);
    isCalm = crowded.findings.length === 0;
    if (options.only === undefined && isCalm) {
      // What the crowd holds would keep its buyers from buying on.
      await crowd(crowded.accepted, size.rush.atOnce, async ({ buyer, bookingId }) => {
        await shop.call(buyer, 'DELETE', `/bookings/${bookingId}`);
      });
      findings.push(...(await trade({ stage, shopper, cast, options }, forTrade, forVisits)));
    }
  }
  if (isPlayed('deliveries') && isCalm) findings.push(...(await handOver({ stage, shopper, cast, options })));
  if (isPlayed('first refusal') && isCalm) findings.push(...(await offer({ stage, shopper, cast, options })));
  findings.push(...(await check({ stage, shop, history, cast, waitsForLeases: size.eachCrashPoint > 0, say })));
  history.flush();
  return findings;
};

/** Cuts a list into parts of these lengths and what is left. */
const split = <Item>(items: readonly Item[], [first, second, third]: readonly [number, number, number]) =>
  [
    items.slice(0, first),
    items.slice(first, first + second),
    items.slice(first + second, first + second + third),
    items.slice(first + second + third),
  ] as const;

/**
 * Both apps on a new database; where crash points are armed at all, the first start dies half way through the
 * migrations.
 */
const openApps = async (stage: Stage, size: Size, say: (line: string) => void): Promise<void> => {
  for (let n = 1; n <= size.eachCrashPoint; n += 1) {
    const child = stage.apps[0].start({ DOGEAR_CRASH_AT: `migration-halfway:${n}` });
    const { signal } = await child.exited;
    if (signal !== 'SIGKILL') throw new Error(`The migration did not come to its crash point:\n${child.output()}`);
  }
  if (size.eachCrashPoint > 0) say(`Opened: killed ${size.eachCrashPoint} times inside a migration, and then open.`);
  // The first to come migrates and stocks the shop.
  for (const app of stage.apps) {
    await app.start().said(/Dogear is open at/);
    while (!app.isOpen()) await sleep(LOOK_MS);
  }
};

/** What the parts of a run have in common. */
interface Run {
  readonly stage: Stage;
  readonly shopper: ShopperDeps;
  readonly cast: Cast;
  readonly options: ProveOptions;
}

/** Purchases and kills; answers what was seen of transactions meanwhile, and which crash points nobody came by. */
const trade = async (run: Run, copies: readonly Copy[], forVisits: readonly Copy[]): Promise<Finding[]> => {
  const { stage, shopper, cast, options } = run;
  const { size, seed, say } = options;
  await stage.provider.control('faults', { seed, faults: FAULTS });
  const watch = watchTransactions(stage.database.url, 'idle');
  let kills = (): number => 0;
  const traffic = purchase(shopper, cast.buyers, copies, { size: size.purchases, kills: () => kills() });
  const nemesis = createNemesis(stage.apps, stage.database, {
    ...size,
    points: CRASH_POINTS,
    random: shopper.random,
    progress: traffic.progress,
    // Holds lapse meanwhile.
    env: { HOLD_MINUTES: '1' },
  });
  kills = nemesis.progress;
  const killing = nemesis.run();
  try {
    await Promise.all([traffic.finished, killing]);
  } finally {
    nemesis.stop();
    await Promise.allSettled([killing]);
  }
  const struck = await stage.provider.control('faults', { seed, faults: [] });
  if (struck.status !== 200) throw new Error('The stand-in does not answer.');
  let visits = 0;
  await nemesis.visitTheRest(() => {
    visits += 1;
    return passEveryPoint(shopper, cast.buyers, forVisits.slice(2 * visits - 2, 2 * visits));
  });
  const locks = await watch.stop();
  const deaths = nemesis.deaths();
  say(
    `Purchases: ${traffic.count} begun, ${traffic.parcels} of them of several books; ${tellHistory(shopper.history)}.`,
  );
  say(`Kills: ${tellDeaths(deaths, stage)}.`);
  if (size.eachCrashPoint > 0) say(`Crash points: ${tellPoints(deaths, size)}.`);
  say(`The longest transaction was open for about ${watch.longestMs()} ms.`);
  const unvisited = size.eachCrashPoint === 0 ? [] : CRASH_POINTS.filter((name) => !deaths.atPoints.has(name));
  return [...locks, ...findingOf('crash points', 'nobody came by', unvisited)];
};

/** Orders are handed over, closed, paid out and given back, and apps die over it; which crash points nobody came by. */
const handOver = async ({ stage, shopper, cast, options }: Run): Promise<Finding[]> => {
  const { size, say } = options;
  const { orders } = size.deliveries;
  const deps = { ...shopper, databaseUrl: stage.database.url, door: stage.doorOfAnApp };
  const deliveries = createDeliveries(deps, cast.bookseller);
  const began = performance.now();
  // Played alone, it is about what is done without anybody dying over it.
  const isKilled = options.only === undefined;
  await stage.provider.control('faults', { seed: options.seed, faults: LOST_TRANSFER });
  const nemesis = createNemesis(stage.apps, stage.database, {
    appKills: isKilled ? size.deliveries.kills : 0,
    databaseKills: size.databaseKills === 0 || !isKilled ? 0 : 1,
    eachCrashPoint: 0,
    points: [],
    random: shopper.random,
    // As long as it takes: so many seconds a kill.
    progress: () => (performance.now() - began) / (SECONDS_A_KILL * 1_000 * size.deliveries.kills),
    env: {},
  });
  const killing = isKilled ? nemesis.run() : Promise.resolve();
  let says = '';
  let missing: InVain | undefined;
  try {
    [says] = await Promise.all([deliveries.run(cast.buyers, cast.theirCopies.slice(0, orders)), killing]);
  } catch (error) {
    if (!(error instanceof InVain)) throw error;
    missing = error;
  } finally {
    nemesis.stop();
    await Promise.allSettled([killing]);
  }
  if (missing !== undefined) return [{ rule: 'in time', says: missing.message }];
  const lost = (await stage.provider.control('faults', undefined)).body['faults'] as readonly { struck: number }[];
  await stage.provider.control('faults', { seed: options.seed, faults: [] });
  if (lost.every(({ struck }) => struck === 0)) throw new Error('No answer to a transfer was lost.');
  let visits = 0;
  const visitor = createNemesis(stage.apps, stage.database, {
    appKills: 0,
    databaseKills: 0,
    eachCrashPoint: size.eachCrashPoint,
    points: PAYOUT_POINTS,
    random: shopper.random,
    progress: () => 1,
    env: {},
  });
  await visitor.visitTheRest(() => {
    const [buyer, copy, seller] = [cast.buyers[visits], cast.theirCopies[orders + visits], cast.newSellers[visits]];
    visits += 1;
    if (buyer === undefined || copy === undefined || seller === undefined)
      throw new Error('There is nobody, or nothing, to pass the crash points of a payout.');
    return deliveries.passOne(buyer, copy, seller);
  });
  const { atPoints } = visitor.deaths();
  say(`Deliveries: ${says}; an app died ${nemesis.deaths().apps + visitor.deaths().apps} times.`);
  if (size.eachCrashPoint === 0) return [];
  say(
    `Crash points after the payment: ${PAYOUT_POINTS.map((name) => `${atPoints.get(name) ?? 0} × ${name}`).join(', ')}.`,
  );
  return findingOf(
    'crash points',
    'nobody came by',
    PAYOUT_POINTS.filter((name) => !atPoints.has(name)),
  );
};

/** Books come that readers look for, and apps die between the matching and the holding. */
const offer = async ({ stage, shopper, cast, options }: Run): Promise<Finding[]> => {
  const { size, say } = options;
  const scene = createFirstRefusal(stage.database.url, shopper.shop, cast);
  const nemesis = createNemesis(stage.apps, stage.database, {
    appKills: size.wants.kills,
    databaseKills: 0,
    eachCrashPoint: size.eachCrashPoint,
    points: WANT_POINTS,
    random: shopper.random,
    progress: () => 1,
    env: {},
  });
  await scene.list(size.wants.copies);
  const [, findings] = await Promise.all([nemesis.run(), scene.settle()]);
  await nemesis.visitTheRest(async () => {
    await scene.list(2);
  });
  const rest = await scene.settle();
  const { apps, atPoints } = nemesis.deaths();
  say(`First refusal: ${scene.count()} books, each offered to three readers; an app died ${apps} times.`);
  const unvisited = size.eachCrashPoint === 0 ? [] : WANT_POINTS.filter((name) => !atPoints.has(name));
  return [...findings, ...rest, ...findingOf('crash points', 'nobody came by', unvisited)];
};

/** One person buys a copy and gets the money back, another books one and cancels: past every named crash point. */
const passEveryPoint = async (deps: ShopperDeps, buyers: readonly Person[], copies: readonly Copy[]): Promise<void> => {
  const [[first, second], [bought, given]] = [buyers, copies];
  if (first === undefined || second === undefined || bought === undefined || given === undefined)
    throw new Error('There is nobody, or nothing, to pass the crash points.');
  await Promise.all([
    createShopper(deps, first).buyAndRegret(bought),
    createShopper(deps, second).bookAndCancel(given),
  ]);
};

const tellHistory = (history: History): string =>
  (['book', 'intent', 'confirm', 'record', 'cancel', 'take-out', 'refund'] as const)
    .map((deed) => {
      const [ok, fail, info] = (['ok', 'fail', 'info'] as const).map((word) => history.count(word, deed));
      return `${deed} ${ok} ok, ${fail} no, ${info} unknown`;
    })
    .join('; ');

const tellDeaths = (deaths: Deaths, stage: Stage): string => {
  const database =
    stage.database.kill === undefined ? 'PostgreSQL is not ours to kill' : `PostgreSQL ${deaths.databases} times`;
  const named = [...deaths.atPoints.values()].reduce((sum, count) => sum + count, 0);
  return `an app ${deaths.apps} times (${named} of these at named points), ${database}`;
};

/** How often an app died at each of the ten. */
const tellPoints = ({ atPoints }: Deaths, size: Size): string =>
  [...CRASH_POINTS.map((name) => [atPoints.get(name) ?? 0, name]), [size.eachCrashPoint, 'migration-halfway']]
    .map(([count, name]) => `${count} × ${name}`)
    .join(', ');
