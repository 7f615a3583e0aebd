import { Socket } from 'node:net';
import { Kysely, PostgresDialect } from 'kysely';
import pLimit from 'p-limit';
import pg from 'pg';
import { codeOf } from '#server/platform/errors.ts';
import { connectionName } from '#server/platform/release.ts';
import type { Database, Db } from '#server/tables.ts';
import { isOutdatedPlan, isReadOnly, noteConnections, shareConnections, watchedPool } from './query.ts';

export type { Db, Trx } from '#server/tables.ts';

/** Statements of a request are cut off here (safety R3); import, seed and migrations bring their own connection. */
const STATEMENT_TIMEOUT_MS = 2_000;
const LOCK_TIMEOUT_MS = 1_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 2_000;
/**
 * Without an answer for so long a connection is given up: the machine at its other end may be gone without a word.
 * Every statement ends sooner by itself (the longest that is allowed more than others has 12 s); what may take longer
 * is a commit that waits for a synchronous replica which has just died, until another takes its place.
 */
const ANSWER_TIMEOUT_MS = 15_000;
/** An idle connection is asked for a sign of life after so long, by the system and at the cost of nothing. */
const KEEP_ALIVE_MS = 5_000;

/**
 * Short statements only: compiling them costs more than it saves, and what is asked for again and again lies in memory.
 */
const PLANNING = { jit: 'off', random_page_cost: '1.1' };

/** By which `picture_address` of the database knows where the shop is. */
const PUBLIC_URL_SETTING = 'dogear.public_url';

/** Of the connections: what short statements share, which keeps as many cores of PostgreSQL busy as one process can. */
const SHARED = { share: 1 / 4, most: 3 };
/** What statements that may take long have of them at most: the others stay free for everything else. */
const LIMITED = { share: 1 / 3 };

export interface Connection {
  readonly db: Db;
  /** Connections of the pool as they are now, and how many wait for one or for their turn. */
  pool(): { busy: number; idle: number; waiting: number };
  close(): Promise<void>;
}

/** This database cannot be written to; another one can, soon, at the same address. */
class NotThePrimary extends Error {
  override readonly name = 'NotThePrimary';
  readonly code = '25006';
}

/**
 * What a connection is told and asked before its first use. A pooler in between would not let it through with its
 * start.
 */
const greet = async (
  client: pg.ClientBase,
  options: { timeouts: boolean; mayBeReplica: boolean; publicUrl: string },
): Promise<void> => {
  const limits = {
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
  };
  const settings = { ...PLANNING, [PUBLIC_URL_SETTING]: options.publicUrl, ...(options.timeouts && limits) };
  const set = Object.entries(settings).map(
    ([name, value]) => `set_config('${name}', ${client.escapeLiteral(String(value))}, false)`,
  );
  const text = `SELECT ${['pg_is_in_recovery() AS "isReplica"', ...set].join(', ')}`;
  const config: pg.QueryConfig & { query_timeout: number } = { text, query_timeout: CONNECT_TIMEOUT_MS };
  const { rows } = await client.query<{ isReplica: boolean }>(config);
  if (rows[0]?.isReplica === true && !options.mayBeReplica)
    throw new NotThePrimary('this database is a replica, and its primary is needed');
};

/**
 * Sends what is written in one turn of the event loop in one packet: the statements that are asked together, for which
 * the driver writes one each. A booking's app CPU falls by a tenth, its rate rises by 6 % (decision 025).
 */
class GatheringSocket extends Socket {
  /** The driver calls it behind each statement. */
  override uncork(): void {
    process.nextTick(() => super.uncork());
  }
}

interface ConnectOptions {
  readonly connections?: number;
  readonly timeouts?: boolean;
  readonly mayBeReplica?: boolean;
  /** Where users see the shop; empty where nothing is read that says it. */
  readonly publicUrl?: string;
  /** Without an answer for so long a connection is given up. */
  readonly silenceMs?: number;
  readonly onError?: (error: Error) => void;
}

/**
 * Opens at most `connections` on a PostgreSQL connection string: a pool, and a few that short statements share. A
 * replica is refused like a database that is away, unless it `mayBeReplica`: behind an address that leads to the
 * primary it was the primary a moment ago.
 */
export const connect = (url: string, options: ConnectOptions = {}): Connection => {
  const { connections = 10, timeouts = true, mayBeReplica = false, publicUrl = '', onError = () => {} } = options;
  const sharing = Math.min(SHARED.most, Math.floor(connections * SHARED.share));
  const settings = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...(timeouts && { query_timeout: options.silenceMs ?? ANSWER_TIMEOUT_MS }),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    application_name: connectionName('pool'),
    pipeline: true,
    stream: () => new GatheringSocket(),
  };
  const onConnect = (client: pg.ClientBase): Promise<void> => greet(client, { timeouts, mayBeReplica, publicUrl });
  const pool = new pg.Pool({ ...settings, max: connections - sharing, onConnect });
  // An idle connection that breaks must not take the process with it; the next request opens another.
  pool.on('error', onError);
  // Nor one that breaks while it is in use, between two statements: the pool listens only while a connection is idle.
  pool.on('connect', (client) => client.on('error', onError));
  const openShared = async (): Promise<pg.Client> => {
    const client = new pg.Client(settings);
    client.on('error', onError);
    try {
      await client.connect();
      await onConnect(client);
      return client;
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    }
  };
  const kept = {
    pool: watchedPool(pool),
    shared: sharing === 0 ? undefined : shareConnections(openShared, sharing),
    limit: pLimit(Math.max(1, Math.floor(connections * LIMITED.share))),
  };
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: kept.pool }) });
  noteConnections(db, kept);
  return {
    db,
    pool: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount + (kept.shared?.waiting() ?? 0) + kept.limit.pendingCount,
    }),
    close: async () => {
      await Promise.all([db.destroy(), kept.shared?.close()]);
    },
  };
};

/** Whether `error` means that all connections were in use for too long, and not that the database cannot be reached. */
export const isTooBusy = (error: unknown): boolean =>
  error instanceof Error && error.message === 'timeout exceeded when trying to connect';

/**
 * Whether `error` means that the database cannot be reached, gave no answer, is going away or has too much to do, so
 * that trying again soon makes sense.
 */
export const isUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  // 08: connection exception, 57P: operator intervention (shutdown, crash, starting up), 53300: too many connections
  if (/^(08|57P|53300)/.test(codeOf(error)) || isReadOnly(error) || isTooBusy(error)) return true;
  if (/^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOENT|EPIPE|ETIMEDOUT)$/.test(codeOf(error))) return true;
  return /Connection terminated|timeout expired|Query read timeout|Client has encountered a connection error/.test(
    error.message,
  );
};

/**
 * Whether `error` means that this database cannot be used as it is configured: unreachable, unknown, not let in, too
 * old.
 */
export const isUnusable = (error: unknown): boolean =>
  // 28: not let in, 3D: no such database, 42501: may not make tables, 0A: a feature this server lacks
  isUnavailable(error) || /^(28|3D|42501|0A|ENOTFOUND|EAI_|EHOSTUNREACH|ERR_INVALID_URL)/.test(codeOf(error));

/** Whether `error` is the violation of the unique constraint or index `name`. */
export const isDuplicate = (error: unknown, name: string): boolean =>
  codeOf(error) === '23505' && error instanceof Error && 'constraint' in error && error.constraint === name;

/** Whether `error` is a statement that was cut off because it took too long. */
export const isOutOfTime = (error: unknown): boolean => codeOf(error) === '57014';

/**
 * Whether `error` goes away by trying again: a lock that could not be had in time, a deadlock, a serialization failure,
 * or tables that a migration changed under a transaction.
 */
export const isContention = (error: unknown): boolean =>
  /^(55P03|40P01|40001)$/.test(codeOf(error)) || isOutdatedPlan(error);
