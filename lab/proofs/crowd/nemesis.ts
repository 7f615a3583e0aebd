import type { Child } from '#lab/proofs/child.ts';
import { shuffled } from './crowd.ts';
import type { ProveDatabase } from '#lab/proofs/database.ts';
import type { App } from '#lab/proofs/stage.ts';

/**
 * Where a crash parts two steps, by name (lab/docs/proof.md). Two more are brought about elsewhere: a client that
 * confirmed and never came back, and a migration that was cut short.
 */
export const CRASH_POINTS = [
  'pi-before-create',
  'pi-created',
  'payment-reported',
  'webhook-before-commit',
  'webhook-committed',
  'before-mail-send',
  'mail-sent-not-marked',
  'pi-cancelled',
  'refund-sent',
] as const;

/** Where a crash parts two steps of what follows the payment. */
export const PAYOUT_POINTS = [
  'account-made',
  'order-moved',
  'release-committed',
  'transfer-sent',
  'reversal-sent',
] as const;

export interface NemesisPlan {
  /** At which points it strikes. */
  readonly points: readonly string[];
  readonly appKills: number;
  readonly databaseKills: number;
  readonly eachCrashPoint: number;
  readonly random: () => number;
  /** 0 before the traffic, 1 after it: the kills are spread over it. */
  readonly progress: () => number;
  /** For each app that is started again. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Deaths {
  readonly apps: number;
  readonly databases: number;
  /** How often an app died at each named point. */
  readonly atPoints: ReadonlyMap<string, number>;
}

type Blow = { readonly kind: 'app'; readonly at: string | undefined } | { readonly kind: 'database' };

/** An armed app that does not come to its point in this time is killed where it is. */
const POINT_LIMIT_MS = 4_000;
const LONGEST_LIFE_MS = 800;
/** So often the next blow does not wait until the victim of the last one is back: then nothing runs for a while. */
const NO_MERCY = 0.15;
const PASSES = 4;
/** Few come by these, so the first who does dies there. */
const RARE: readonly string[] = ['pi-cancelled', 'refund-sent'];
/** The kills run at most this share of themselves ahead of the traffic. */
const LEAD = 0.1;
const LOOK_AGAIN_MS = 20;
const OPEN_LIMIT_MS = 60_000;
const RETRY_MS = 300;
const VISIT_LIMIT_MS = 20_000;
const NO_DATABASE = /The database of DATABASE_URL cannot be used/;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const blowsOf = (plan: NemesisPlan): Blow[] => {
  const points = plan.points.flatMap((name) => Array.from({ length: plan.eachCrashPoint }, () => name));
  const apps = Array.from({ length: plan.appKills }, (_, n): Blow => {
    const point = points[n];
    if (point === undefined) return { kind: 'app', at: undefined };
    const pass = RARE.includes(point) ? 1 : 1 + Math.floor(plan.random() * PASSES);
    return { kind: 'app', at: `${point}:${pass}` };
  });
  const databases = Array.from({ length: plan.databaseKills }, (): Blow => ({ kind: 'database' }));
  return shuffled([...apps, ...databases], plan.random);
};

/**
 * Kills the apps and the database, at named points and at random, and starts the apps again; ends with all of them
 * running.
 */
export const createNemesis = (apps: readonly App[], database: ProveDatabase, plan: NemesisPlan) => {
  const atPoints = new Map<string, number>();
  const kills = { app: 0, database: 0 };
  const blows = blowsOf(plan);
  /** Apps and the database on their way back. */
  const comingBack = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let over = false;
  let struck = 0;
  /** Blows whose victim is where it shall be struck: what people do now may bring it to its point. */
  let underWay = 0;

  const until = async (isSo: () => boolean, limitMs: number): Promise<void> => {
    const deadline = performance.now() + limitMs;
    while (!isSo() && !over && performance.now() < deadline) await sleep(LOOK_AGAIN_MS);
  };

  /**
   * Starts an app until it is open or has met its armament; one that finds no database is started again, as a keeper
   * would.
   */
  const start = async (app: App, at: string | undefined): Promise<Child> => {
    for (;;) {
      const child = app.start({ ...plan.env, DOGEAR_CRASH_AT: at ?? '' });
      await until(() => app.isOpen() || !child.isAlive(), OPEN_LIMIT_MS);
      if (child.isAlive()) {
        if (app.isOpen() || over) return child;
        throw new Error(`An app did not open:\n${child.output()}`);
      }
      if ((await child.exited).signal === 'SIGKILL') return child;
      if (!NO_DATABASE.test(child.output())) throw new Error(`An app ended by itself:\n${child.output()}`);
      await sleep(RETRY_MS);
    }
  };

  const end = async (child: Child | undefined): Promise<void> => {
    child?.kill('SIGKILL');
    const how = await child?.exited;
    if (how?.signal === 'SIGKILL') kills.app += 1;
    else if (!NO_DATABASE.test(child?.output() ?? '')) throw new Error(`An app ended by itself:\n${child?.output()}`);
  };

  /** A life that ends at the named point, or after a while. */
  const killApp = async (app: App, at: string | undefined): Promise<void> => {
    if (at !== undefined) {
      await end(app.child());
      const child = await start(app, at);
      underWay += 1;
      await until(() => !child.isAlive(), POINT_LIMIT_MS);
      const [point = ''] = at.split(':');
      if (!child.isAlive()) atPoints.set(point, (atPoints.get(point) ?? 0) + 1);
    } else {
      underWay += 1;
      await until(() => false, plan.random() * LONGEST_LIFE_MS);
    }
    await end(app.child());
    await start(app, undefined);
  };

  const strike = async (blow: Blow): Promise<void> => {
    if (blow.kind === 'app') {
      const app = apps[struck % apps.length];
      if (app !== undefined) await killApp(app, blow.at);
      return;
    }
    underWay += 1;
    if (database.kill === undefined) return;
    await database.kill();
    kills.database += 1;
  };

  /** An app alone, armed, and people who come by its point; then it goes on. */
  const visit = async (point: string, live: () => Promise<unknown>): Promise<void> => {
    const [first, second] = apps;
    if (first === undefined || second === undefined) throw new Error('There are no apps.');
    await end(second.child());
    await end(first.child());
    const child = await start(first, `${point}:1`);
    const life = live();
    const deadline = performance.now() + VISIT_LIMIT_MS;
    while (child.isAlive() && performance.now() < deadline) await sleep(LOOK_AGAIN_MS);
    if (!child.isAlive()) atPoints.set(point, (atPoints.get(point) ?? 0) + 1);
    await end(child);
    for (const app of apps) await start(app, undefined);
    await life;
  };

  return {
    /**
     * Nobody may have come by a point where an app lay in wait: then `live`, which passes all of them, is brought
     * there.
     */
    visitTheRest: async (live: () => Promise<unknown>): Promise<void> => {
      over = false;
      for (const point of plan.eachCrashPoint === 0 ? [] : plan.points)
        if (!atPoints.has(point)) await visit(point, live);
      over = true;
    },
    /** Fulfils when all kills are done and both apps are open for good. */
    run: async (): Promise<void> => {
      for (const blow of blows) {
        while (!over && struck / blows.length > plan.progress() + LEAD) await sleep(LOOK_AGAIN_MS);
        if (over) break;
        struck += 1;
        const blown = strike(blow)
          .catch((error: unknown) => void failures.push(error))
          .finally(() => comingBack.delete(blown));
        comingBack.add(blown);
        if (comingBack.size > 1 || plan.random() > NO_MERCY) await Promise.all(comingBack);
        if (failures.length > 0) throw failures[0];
      }
      await Promise.all(comingBack);
      over = true;
      if (failures.length > 0) throw failures[0];
    },
    /** No more kills than were begun. */
    stop: () => void (over = true),
    /** How much of the work is done, from 0 to 1. */
    progress: () => (over ? 1 : underWay / blows.length),
    deaths: (): Deaths => ({ apps: kills.app, databases: kills.database, atPoints }),
  };
};
