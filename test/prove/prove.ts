import path from 'node:path';
import { seededRandom } from '#standins/stripe/faults.ts';
import { lastingFindings, settlingFindings } from './checks.ts';
import { crowd } from './crowd.ts';
import type { Finding } from './finding.ts';
import { openHistory, type History } from './history.ts';
import { watchTransactions } from './lock-watch.ts';
import { createNemesis, type Deaths } from './nemesis.ts';
import { engageCast, type Cast } from './people.ts';
import { purchase } from './purchases.ts';
import { tryForbidden } from './refusals.ts';
import { rush } from './rush.ts';
import { readShopBooks } from './shop-books.ts';
import { createShopClient, type ShopClient } from './shop-client.ts';
import type { Size } from './sizes.ts';
import { openStage, type Stage } from './stage.ts';

export interface ProveOptions {
  /** The project whose server is put to the proof. */
  readonly tree: string;
  readonly size: Size;
  readonly seed: number;
  readonly say: (line: string) => void;
  /** Where the clients' log is kept; else it goes with the run. */
  readonly historyFile?: string | undefined;
  /** Only the first part: bookings, no purchases, no kills. */
  readonly onlyRush?: boolean;
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

/** R of `docs/proof.md`: money that was taken is a paid booking this much later at the latest. */
const SETTLE_LIMIT_MS = 60_000;
const LOOK_AGAIN_MS = 3_000;
const PATIENCE_MS = 30_000;
/** Longer than any transaction may be open, shorter than the shop waits for the provider. */
const HANG_MS = 4_200;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Webhooks that are lost for good. Not those of refunds and disputes: of one that was made at the provider and never told of
 * the shop learns from its daily comparison, not within a minute.
 */
const DROPPED = [
  'charge.failed',
  'charge.succeeded',
  'payment_intent.canceled',
  'payment_intent.created',
  'payment_intent.payment_failed',
  'payment_intent.processing',
  'payment_intent.succeeded',
];

/** What goes wrong between the provider and the shop while people buy. */
const FAULTS = [
  ...DROPPED.map((on) => ({ fault: 'drop', ratio: 0.2, on })),
  { fault: 'double', ratio: 0.2 },
  { fault: 'reorder', ratio: 0.2 },
  { fault: 'cut', ratio: 0.02 },
  { fault: 'fail', ratio: 0.01 },
  { fault: 'hang', next: 4, ms: HANG_MS, on: 'POST /v1/payment_intents' },
  { fault: 'hang', next: 2, ms: HANG_MS, on: 'POST /v1/payment_intents/:id/cancel' },
  { fault: 'cut', ratio: 0.03, on: 'POST /v1/payment_intents/:id/confirm' },
];

/** Runs the proof on a stage of its own, and clears it away whatever happens. */
export const prove = async (options: ProveOptions): Promise<Verdict> => {
  const began = performance.now();
  const stage = await openStage({ tree: options.tree, env: { HOLD_MINUTES: '30', RECONCILE_SECONDS: '2' } });
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

/** In the order of a shop's life: opened and migrated, crowded, then bought from while it is killed, and left to settle. */
const play = async (stage: Stage, options: ProveOptions): Promise<Finding[]> => {
  const { size, say } = options;
  const history = openHistory(options.historyFile ?? path.join(stage.folder, 'history.jsonl'));
  const random = seededRandom(options.seed);
  await openApps(stage, size, say);
  const cast = await engageCast(stage.database.url, {
    buyers: size.buyers,
    copies: size.rush.copies + size.purchases.count,
  });
  const shop = createShopClient(stage.doorOfAnApp);
  await shop.signIn(cast.buyers);
  const run: Run = { stage, shop, history, random, cast, options };
  const copies = cast.copies.slice(0, size.rush.copies);
  const crowded = await rush({ shop, history, random, size: size.rush }, cast.buyers, copies);
  say(`Rush: ${crowded.says}.`);
  const goesOn = options.onlyRush !== true && crowded.findings.length === 0;
  // What the crowd holds would keep its buyers from buying on.
  if (goesOn) {
    await crowd(crowded.accepted, size.rush.atOnce, async ({ buyer, bookingId }) => {
      await shop.call(buyer, 'DELETE', `/bookings/${bookingId}`);
    });
  }
  const locks = goesOn ? await trade(run) : [];
  const findings = [...crowded.findings, ...locks, ...(await check(run))];
  history.flush();
  return findings;
};

/** Both apps on a new database; where crash points are armed at all, the first start dies half way through the migrations. */
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
    while (!app.isOpen()) await sleep(LOOK_AGAIN_MS / 10);
  }
};

/** What the parts of a run have in common. */
interface Run {
  readonly stage: Stage;
  readonly shop: ShopClient;
  readonly history: History;
  readonly random: () => number;
  readonly cast: Cast;
  readonly options: ProveOptions;
}

/** Purchases and kills; answers what was seen of transactions meanwhile. */
const trade = async ({ stage, shop, history, random, cast, options }: Run): Promise<Finding[]> => {
  const { size, seed, say } = options;
  const copies = cast.copies.slice(size.rush.copies);
  await stage.provider.control('faults', { seed, faults: FAULTS });
  const watch = watchTransactions(stage.database.url);
  let kills = (): number => 0;
  const traffic = purchase(
    { shop, provider: stage.provider, history, random, patienceMs: PATIENCE_MS, admin: cast.admin },
    cast.buyers,
    copies,
    { size: size.purchases, kills: () => kills() },
  );
  const nemesis = createNemesis(stage.apps, stage.database, {
    ...size,
    random,
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
  const locks = await watch.stop();
  const struck = await stage.provider.control('faults', { seed, faults: [] });
  if (struck.status !== 200) throw new Error('The stand-in does not answer.');
  say(`Purchases: ${copies.length} begun; ${tellHistory(history)}.`);
  say(`Kills: ${tellDeaths(nemesis.deaths(), stage)}.`);
  say(`The longest transaction was open for about ${watch.longestMs()} ms.`);
  return locks;
};

const tellHistory = (history: History): string =>
  (['book', 'intent', 'confirm', 'record', 'cancel', 'refund'] as const)
    .map((deed) => {
      const [ok, fail, info] = (['ok', 'fail', 'info'] as const).map((word) => history.count(word, deed));
      return `${deed} ${ok} ok, ${fail} no, ${info} unknown`;
    })
    .join('; ');

const tellDeaths = (deaths: Deaths, stage: Stage): string => {
  const points = [...deaths.atPoints].map(([name, count]) => `${count} × ${name}`);
  const database =
    stage.database.kill === undefined ? 'PostgreSQL is not ours to kill' : `PostgreSQL ${deaths.databases} times`;
  const named = points.length === 0 ? 'all at random' : `of these at named points ${points.join(', ')}`;
  return `an app ${deaths.apps} times (${named}), ${database}`;
};

/** The books of both sides, until they agree or the time is over. */
const check = async ({ stage, shop: client, history, cast, options: { say } }: Run): Promise<Finding[]> => {
  const began = performance.now();
  let before = '';
  for (;;) {
    const [provider, shop] = [await stage.provider.readBooks(), await readShopBooks(stage.database.url)];
    const lasting = lastingFindings({ shop, provider, history, copies: cast.copies });
    const settling = settlingFindings({ shop, provider, history });
    const waited = performance.now() - began;
    // The two are read one after the other: what lies between them is gone at the next look, a violation is not.
    const found = JSON.stringify(lasting);
    if (lasting.length > 0 && found !== before && waited < SETTLE_LIMIT_MS) {
      before = found;
      await sleep(LOOK_AGAIN_MS);
      continue;
    }
    if (lasting.length === 0 && settling.length > 0 && waited < SETTLE_LIMIT_MS) {
      await sleep(LOOK_AGAIN_MS);
      continue;
    }
    const forbidden = await tryForbidden(stage.database.url);
    const defects = findDefects(history);
    const paid = provider.intents.filter(({ status }) => status === 'succeeded').length;
    say(
      `Checked: ${provider.intents.length} intents, ${paid} of them paid, ${shop.payments.length} payments, ` +
        `${shop.events.length} events, ${shop.mailKeys.length} mails; settled after ${(waited / 1000).toFixed(1)} s.`,
    );
    if (forbidden.untried.length > 0) say(`Not tried for want of a case: ${forbidden.untried.join('; ')}.`);
    return [...lasting, ...settling, ...forbidden.findings, ...defects, ...(await askTheShop(client, cast))];
  }
};

/** An answer 500 is a defect, whatever was killed around it. */
const findDefects = (history: History): Finding[] => {
  const defects = history.entries.filter(({ about }) => about['status'] === 500);
  const first = defects.slice(0, 3).map(({ deed }) => deed);
  return defects.length === 0
    ? []
    : [{ rule: 'no 5xx', says: `${defects.length} answers were 500: ${first.join(', ')}` }];
};

/** What the shop itself says of its books: it must see what we see. */
const askTheShop = async (shop: ShopClient, { admin }: Cast): Promise<Finding[]> => {
  const { status, body } = await shop.call(admin, 'GET', '/money');
  if (status === 200 && body['violations'] === 0) return [];
  return [{ rule: 'own view', says: `the shop's own check says: ${status} ${JSON.stringify(body['invariants'])}` }];
};
