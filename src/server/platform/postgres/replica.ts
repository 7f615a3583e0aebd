import pg from 'pg';
import { connect, type Db } from './db.ts';
import { logPlaceOf, type LogPlace } from './known-changes.ts';

/** How often a replica is asked how far it is. */
const PACE_MS = 250;
/** The same while a read waits for it to come as far as is needed. */
const HURRIED_PACE_MS = 20;
/** Without an answer for so long it is left out. */
const TRUST_MS = 700;
const RECONNECT_PAUSE_MS = 1_000;
const CONNECT_TIMEOUT_MS = 2_000;

/** A replica that can be read. */
export interface LiveReplica {
  readonly db: Db;
  /** How much of the primary's log it has replayed. */
  readonly replayed: LogPlace;
  /** Rejects when it goes away, so that nobody waits for an answer that is not coming. */
  readonly lost: Promise<never>;
}

export interface Replica {
  /** Host and port, for users. */
  readonly name: string;
  /** Undefined while it is away. */
  live(): LiveReplica | undefined;
  /** Asks again sooner: somebody needs it to be further than it was. */
  hurry(): void;
  stop(): Promise<void>;
}

class ReplicaLost extends Error {
  override readonly name = 'ReplicaLost';
}

const nameOf = (url: string): string => URL.parse(url)?.host || 'replica';

interface Round {
  readonly probe: pg.Client;
  replayed: LogPlace;
  readonly pool: { db: Db; close(): Promise<void> };
  readonly lost: Promise<never>;
  lose(error: Error): void;
}

const ask = async (probe: pg.Client): Promise<LogPlace> => {
  const { rows } = await probe.query<{ at: string | null }>(
    'SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()::text END AS at',
  );
  const at = rows[0]?.at;
  if (at === undefined || at === null) throw new Error('it is no replica');
  return logPlaceOf(at);
};

const within = <A>(ms: number, work: Promise<A>): Promise<A> => {
  const limit = Promise.withResolvers<never>();
  const giveUp = (): void => limit.reject(new Error(`no answer within ${ms} ms`));
  // Where this process itself was late, the answer may be here and only not be read yet: that comes before an immediate.
  const timer = setTimeout(() => setImmediate(giveUp), ms).unref();
  return Promise.race([work, limit.promise]).finally(() => clearTimeout(timer));
};

/** Keeps a connection to one replica, asks it how far it is, and tells when it goes and comes. */
export const watchReplica = (
  url: string,
  options: { connections: number; onChange: (name: string, away: Error | undefined) => void },
): Replica => {
  const name = nameOf(url);
  let round: Round | undefined;
  let isStopped = false;
  let wake = (): void => {};
  let isAway = false;

  const pause = async (ms: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms).unref();
    wake = resolve;
    await promise;
    clearTimeout(timer);
    wake = () => {};
  };

  const open = async (): Promise<Round> => {
    const probe = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: 'dogear replica watch',
    });
    const { promise: lost, reject: lose } = Promise.withResolvers<never>();
    lost.catch(() => {});
    probe.on('error', lose);
    probe.on('end', () => lose(new ReplicaLost('its connection ended')));
    try {
      await probe.connect();
      const replayed = await within(TRUST_MS, ask(probe));
      return {
        probe,
        replayed,
        pool: connect(url, { connections: options.connections, mayBeReplica: true }),
        lost,
        lose,
      };
    } catch (error) {
      void probe.end().catch(() => {});
      throw error;
    }
  };

  const watch = async (current: Round): Promise<void> => {
    let hurriedAt = 0;
    while (!isStopped) {
      await Promise.race([pause(PACE_MS), current.lost]);
      // Woken for one read after the other it is still asked at most this often.
      const early = hurriedAt + HURRIED_PACE_MS - performance.now();
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
      hurriedAt = performance.now();
      current.replayed = await within(TRUST_MS, Promise.race([ask(current.probe), current.lost]));
    }
  };

  const close = async (ended: Round): Promise<void> => {
    ended.lose(new ReplicaLost(`the replica ${name} went away`));
    await Promise.all([ended.probe.end().catch(() => {}), ended.pool.close().catch(() => {})]);
  };

  const run = async (): Promise<void> => {
    while (!isStopped) {
      try {
        round = await open();
        if (isAway) options.onChange(name, undefined);
        isAway = false;
        await watch(round);
      } catch (error) {
        if (!isAway && !isStopped) options.onChange(name, error instanceof Error ? error : new Error(String(error)));
        isAway = true;
      }
      const ended = round;
      round = undefined;
      // A connection that hangs is not waited for; what is new opens beside it.
      const closing = ended && close(ended);
      if (isStopped) await closing;
      else await pause(RECONNECT_PAUSE_MS);
    }
  };
  const running = run();

  return {
    name,
    live: () => round && { db: round.pool.db, replayed: round.replayed, lost: round.lost },
    hurry: () => wake(),
    stop: async () => {
      isStopped = true;
      wake();
      await running;
    },
  };
};
