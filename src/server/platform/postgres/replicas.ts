import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { AppError } from '#server/platform/errors.ts';
import { repeat } from '#server/platform/repeat.ts';
import { connect, isOutOfTime, isTooBusy, isUnavailable, type Connection, type Db } from './db.ts';
import { outage, withoutSilence } from './heartbeat.ts';

/** How often each database is asked how far it is: for about twice this the primary answers what changed. */
const PACE_MS = 50;
/** A replica that is further behind is left out. */
const MOST_LAG_MS = 1_000;
const MOST_TAGS = 100_000;
/** Reads end in less; without an answer for so long a connection to a replica leads nowhere. */
const GIVEN_UP_MS = 3_000;

export interface Replicas {
  /**
   * Runs a read of what has these tags on a replica that is at most a second behind and has their last change, else on
   * the primary; on any replica while the primary is away.
   */
  read<A>(tags: readonly string[], work: (db: Db) => Promise<A>): Promise<A>;
  /** Something with one of these tags changed on the primary, or anything at all. */
  invalidate(tags: ReadonlySet<string> | 'all'): void;
  stop(): Promise<void>;
}

export interface ReplicasOptions {
  /** Connections to the primary for these reads. */
  readonly primary: Connection;
  readonly primaryUrl: string;
  readonly urls: readonly string[];
  readonly publicUrl?: string;
  /** Connections to each replica at most. */
  readonly connections: number;
  /** Whether everything that changed until a moment ago was told. */
  readonly isCurrent: () => boolean;
  /** Tells that a database is left out, and why, or that it is back. */
  readonly onChange: (name: string, away: unknown) => void;
}

/** Sends public reads to replicas, and to the primary what changed a moment ago. */
export const openReplicas = (options: ReplicasOptions): Replicas => {
  const changedAt = new LRUCache<string, number>({ max: MOST_TAGS });
  /** Where the primary's log stood in the last second. */
  let positions: { at: number; lsn: string | null }[] = [];

  /** Asks a database how far it is, again and again, on a connection of its own: who is busy is not away. */
  const watch = (url: string, { db, close }: Connection, isReplica: boolean) => {
    const probe = connect(url, { connections: 1, mayBeReplica: true });
    /** `lost` is there while the database is, and rejects when it goes, so that nobody waits for it. */
    const database = { db, lost: undefined as PromiseWithResolvers<never> | undefined, knownUntil: -MOST_LAG_MS };
    let isAway = false;
    const note = (away: unknown): void => {
      if (isAway !== (away !== undefined)) options.onChange(URL.parse(url)?.host ?? '', away);
      isAway = away !== undefined;
    };
    const beat = async (): Promise<void> => {
      const at = performance.now();
      const question = sql<{ isReplica: boolean; lsn: string | null; knownUntil: number | null }>`
        SELECT pg_is_in_recovery() AS "isReplica",
          CASE WHEN NOT pg_is_in_recovery() THEN pg_current_wal_insert_lsn()::text END AS lsn,
          (SELECT max(at) FROM unnest(${positions.map((one) => one.at)}::float8[], ${positions.map((one) => one.lsn)}::pg_lsn[])
             AS primary_log (at, lsn) WHERE lsn <= pg_last_wal_replay_lsn()) AS "knownUntil"`;
      const [row] = (await withoutSilence(question.execute(probe.db))).rows;
      if (row?.isReplica !== isReplica) throw outage(`it is ${isReplica ? 'no' : 'a'} replica`);
      if (isReplica) database.knownUntil = row.knownUntil ?? database.knownUntil;
      else positions = [...positions.filter((one) => at - one.at < MOST_LAG_MS), { at, lsn: row.lsn }];
      database.lost ??= Promise.withResolvers<never>();
      database.lost.promise.catch(() => {});
      note(undefined);
    };
    const beats = repeat(beat, PACE_MS, (error) => {
      database.lost?.reject(outage('the database went away'));
      database.lost = undefined;
      note(error);
    });
    return Object.assign(database, { stop: () => beats.stop().then(() => Promise.all([probe.close(), close()])) });
  };

  const primary = watch(options.primaryUrl, options.primary, false);
  const settings = {
    connections: options.connections,
    mayBeReplica: true,
    silenceMs: GIVEN_UP_MS,
    publicUrl: options.publicUrl ?? '',
  };
  const replicas = options.urls.map((url) => watch(url, connect(url, settings), true));

  /** Whom to ask, one after the other; of the replicas another one first each time. */
  const candidates = (tags: readonly string[]) => {
    replicas.push(...replicas.splice(0, 1));
    const living = replicas.filter(({ lost }) => lost !== undefined);
    const changes = ['all', ...tags].map((tag) => changedAt.get(tag) ?? 0);
    const since = Math.max(performance.now() - MOST_LAG_MS, ...changes);
    const fresh = living.filter(({ knownUntil }) => knownUntil > since);
    if (primary.lost === undefined) return [...fresh, ...living, primary];
    return [...(options.isCurrent() ? fresh.slice(0, 1) : []), primary, ...living];
  };

  /** What a replica does not have the primary may; what the primary cannot be asked a replica may know. */
  const isAnswer = (error: unknown, isPrimary: boolean): boolean => {
    if (isPrimary) return !isUnavailable(error) || isTooBusy(error);
    if (error instanceof AppError) return error.code !== 'not_found' || primary.lost === undefined;
    return isOutOfTime(error);
  };

  return {
    read: async (tags, work) => {
      let failure: unknown;
      for (const { db, lost } of candidates(tags)) {
        try {
          return await Promise.race([work(db), ...(lost === undefined ? [] : [lost.promise])]);
        } catch (error) {
          if (isAnswer(error, db === primary.db)) throw error;
          failure = error;
        }
      }
      throw failure;
    },
    invalidate: (tags) => {
      for (const tag of tags === 'all' ? ['all'] : tags) changedAt.set(tag, performance.now());
    },
    stop: async () => {
      await Promise.all([primary, ...replicas].map((database) => database.stop()));
    },
  };
};
