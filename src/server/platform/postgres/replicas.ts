import { setTimeout as sleep } from 'node:timers/promises';
import { isOutOfTime, isTooBusy, isUnavailable, type Db } from './db.ts';
import { AppError } from '#server/platform/errors.ts';
import { createKnownChanges, logPlaceOf, type LogPlace } from './known-changes.ts';
import { watchReplica, type LiveReplica } from './replica.ts';

/** How often the primary is asked where its log stands. */
const SAMPLE_MS = 250;
/** A replica that is further behind than this is left out until it has caught up. */
const MOST_LAG_MS = 5_000;
/** A read waits so long for the primary before it is looked for elsewhere, and again for each look more. */
const PATIENCE_MS = 250;

/** What a public read must know. */
export interface ReadNeed {
  /** What it shows; a change of one of these that was told is never missed. */
  readonly scopes: readonly string[];
  /** Where the log stood after the asker's last change; null for whoever changed nothing. */
  readonly wroteAt: string | null;
}

export interface Replicas {
  /**
   * Runs a read on a replica that knows all it must know, else on the primary. What a replica cannot answer, or has nothing of, is
   * asked of the primary; while that cannot be reached, any replica will do.
   */
  read<A>(need: ReadNeed, work: (db: Db) => Promise<A>): Promise<A>;
  /** Something of these scopes changed on the primary, or anything at all. Call it before anybody can ask again. */
  changed(scopes: ReadonlySet<string> | 'all'): void;
  stop(): Promise<void>;
}

export interface ReplicasOptions {
  readonly primary: Db;
  readonly urls: readonly string[];
  /** Connections to each at most. */
  readonly connections: number;
  /** The place of the primary's log, at or after everything that was told of until now. */
  readonly position: () => Promise<string>;
  /** Whether everything that changed until a moment ago was told. */
  readonly isCurrent: () => boolean;
  /** Tells that a replica is left out, and why, or that it is back. */
  readonly onChange: (name: string, away: Error | undefined) => void;
}

/** Where the primary's log stood lately, so that a replica's place can be told in time. */
const createSamples = () => {
  let samples: { at: number; place: LogPlace }[] = [];
  return {
    add: (at: number, place: LogPlace): void => {
      samples = [...samples.filter((sample) => at - sample.at < 2 * MOST_LAG_MS), { at, place }];
    },
    /** How long ago the primary was where a replica is now, in milliseconds; at least, when it is longer than is remembered. */
    lagOf: (replayed: LogPlace, now: number): number => {
      const reached = samples.findLast(({ place }) => place <= replayed);
      return now - (reached?.at ?? samples[0]?.at ?? now);
    },
  };
};

const onReplica = <A>(replica: LiveReplica, work: (db: Db) => Promise<A>): Promise<A> =>
  Promise.race([work(replica.db), replica.lost]);

/** A refusal is an answer, but a replica may not have yet what was asked for; what takes it too long takes the primary too long. */
const isFinal = (error: unknown): boolean =>
  error instanceof AppError ? error.code !== 'not_found' : isOutOfTime(error);

/** Sends public reads to replicas where that shows nobody anything older than they may know. */
export const openReplicas = (options: ReplicasOptions): Replicas => {
  const { primary, isCurrent } = options;
  const replicas = options.urls.map((url) =>
    watchReplica(url, { connections: options.connections, onChange: options.onChange }),
  );
  const samples = createSamples();
  const position = async (): Promise<LogPlace> => {
    const place = logPlaceOf(await options.position());
    samples.add(performance.now(), place);
    return place;
  };
  const changes = createKnownChanges(position);
  const sampling = setInterval(() => {
    position().catch(() => {});
    changes.settle().catch(() => {});
  }, SAMPLE_MS).unref();
  let turn = 0;

  const choose = ({ scopes, wroteAt }: ReadNeed): LiveReplica | undefined => {
    const needed = isCurrent() ? changes.needed(scopes) : undefined;
    if (needed === undefined) return undefined;
    const own = wroteAt === null ? 0n : logPlaceOf(wroteAt);
    const place = own > needed ? own : needed;
    turn += 1;
    for (let step = 0; step < replicas.length; step += 1) {
      const replica = replicas[(turn + step) % replicas.length];
      const live = replica?.live();
      if (replica === undefined || live === undefined) continue;
      if (live.replayed < place) replica.hurry();
      else if (samples.lagOf(live.replayed, performance.now()) < MOST_LAG_MS) return live;
    }
    return undefined;
  };

  /** Asks one replica after the other, the furthest first; none knows what happens now, so what they refuse is an answer, too. */
  const onAnyReplica = async <A>(work: (db: Db) => Promise<A>, otherwise: unknown): Promise<A> => {
    const live = replicas
      .flatMap((replica) => replica.live() ?? [])
      .toSorted((a, b) => (a.replayed < b.replayed ? 1 : -1));
    for (const replica of live) {
      try {
        return await onReplica(replica, work);
      } catch (error) {
        if (error instanceof AppError || isOutOfTime(error)) throw error;
      }
    }
    throw otherwise;
  };

  /**
   * Asks the primary. While it keeps one waiting, a replica answers that has come to know enough, or any where the primary does not tell
   * its news either; also where it cannot be reached.
   */
  const onPrimary = async <A>(need: ReadNeed, work: (db: Db) => Promise<A>): Promise<A> => {
    const settled = new AbortController();
    const asking = work(primary).finally(() => settled.abort());
    const asked = asking.then(
      (answer) => ({ answer }),
      () => undefined,
    );
    while (await sleep(PATIENCE_MS, true, { signal: settled.signal }).catch(() => false)) {
      const replica = choose(need);
      if (replica === undefined && isCurrent()) continue;
      const instead = replica === undefined ? onAnyReplica(work, undefined) : onReplica(replica, work);
      const got = await Promise.race([
        asked,
        instead.then(
          (answer) => ({ answer }),
          (error: unknown) => {
            if (isFinal(error) || (replica === undefined && error instanceof AppError)) throw error;
            return undefined;
          },
        ),
      ]);
      if (got !== undefined) return got.answer;
    }
    return asking.catch((error: unknown) => {
      // Where the primary is only busy, a replica that knows too little is no answer.
      if (isUnavailable(error) && !isTooBusy(error)) return onAnyReplica(work, error);
      throw error;
    });
  };

  return {
    read: async (need, work) => {
      const replica = choose(need);
      if (replica !== undefined) {
        try {
          return await onReplica(replica, work);
        } catch (error) {
          if (isFinal(error)) throw error;
        }
      }
      return onPrimary(need, work);
    },
    changed: (scopes) => changes.note(scopes),
    stop: async () => {
      clearInterval(sampling);
      await Promise.all(replicas.map((replica) => replica.stop()));
    },
  };
};
