import {
  CompiledQuery,
  DefaultQueryExecutor,
  PostgresAdapter,
  PostgresDialect,
  PostgresQueryCompiler,
  Transaction,
  type Compilable,
  type ConnectionProvider,
  type PostgresPool,
  type PostgresPoolClient,
} from 'kysely';
import type { LimitFunction } from 'p-limit';
import pg from 'pg';
import { codeOf } from '#server/platform/errors.ts';
import { isTracing, traced } from '#server/platform/tracing.ts';
import type { Database, Db, Trx } from '#server/tables.ts';

/** Each name costs every connection some memory in PostgreSQL; texts beyond so many are not prepared. */
const MOST_NAMES = 200;
const names = new Map<string, string>();
let given = 0;

/**
 * Has every connection prepare this text once, under a name that begins with `name`: for statements of hot paths whose
 * best plan does not depend on their values.
 */
export const prepared = (name: string, text: string): string => {
  if (!names.has(text) && names.size < MOST_NAMES) names.set(text, `${name}_${(given += 1)}`);
  return text;
};

/** Whether the database answered that it can only be read: after a failover the old primary does. */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === '25006';

/** Whether a prepared statement does not fit its tables since a migration, or never came to be. */
export const isOutdatedPlan = (error: unknown): boolean =>
  codeOf(error) === '26000' ||
  (codeOf(error) === '0A000' && (error as Error).message.includes('cached plan must not change result type'));

/** Asked with a callback: the driver's own promise keeps the answer before it in memory until a full collection. */
const send = <Row extends pg.QueryResultRow>(client: pg.ClientBase, text: string, values: readonly unknown[]) =>
  new Promise<pg.QueryResult<Row>>((resolve, reject) => {
    const name = names.get(text);
    client.query<Row>({ text, values: [...values], ...(name !== undefined && { name }) }, (error, result) => {
      // The driver says null where there is no error.
      if ((error as Error | null) === null) return resolve(result);
      // From now on it has another name, and is prepared anew.
      if (name !== undefined && isOutdatedPlan(error)) names.set(text, name.replace(/\d+$/, String((given += 1))));
      reject(error);
    });
  });

const sendTraced: typeof send = (client, text, values) => {
  const verb = text.trimStart().split(/\s/, 1)[0]?.toUpperCase() ?? 'SQL';
  // The text of a statement holds no values.
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text };
  return traced(verb, attributes, () => send(client, text, values));
};

/** How statements are sent; whether that is traced is known before anything is connected. */
const sender = (): typeof send => (isTracing() ? sendTraced : send);

const watched = (client: pg.PoolClient, ask: typeof send): PostgresPoolClient => {
  let isNoPrimary = false;
  const query = async (text: string, values: readonly unknown[] = []): Promise<unknown> => {
    try {
      return await ask(client, text, values);
    } catch (error) {
      isNoPrimary ||= isReadOnly(error);
      throw error;
    }
  };
  return {
    // Kysely's other form is for cursors, which need a driver that is not here.
    query: query as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy === true || isNoPrimary),
  };
};

/**
 * The pool as Kysely uses it: statements are prepared by their names, and a connection to a former primary is given up.
 */
export const watchedPool = (pool: pg.Pool): PostgresPool => {
  const ask = sender();
  return {
    Client: pg.Client,
    options: pool.options,
    connect: async () => watched(await pool.connect(), ask),
    end: () => pool.end(),
  };
};

/** Connections that many requests use at once, in the driver's pipeline mode. */
export interface SharedConnections {
  query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]>;
  /** How many statements are under way that are not the first on their connection. */
  waiting(): number;
  /** Closes them once what was asked is answered. */
  close(): Promise<void>;
}

/**
 * Shares `count` connections, each opened when it is first needed and again after it was lost. A statement goes where
 * the fewest are under way.
 */
export const shareConnections = (open: () => Promise<pg.Client>, count: number): SharedConnections => {
  const lines = Array.from({ length: count }, () => ({
    client: undefined as Promise<pg.Client> | undefined,
    underWay: 0,
  }));
  type Line = (typeof lines)[number];
  const ask = sender();

  const openOn = (line: Line): Promise<pg.Client> => {
    const opening = open();
    const leave = (): void => {
      if (line.client === opening) line.client = undefined;
    };
    opening.then((client) => client.once('error', leave).once('end', leave), leave);
    return opening;
  };

  return {
    query: async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]> => {
      const line = lines.reduce((best, one) => (one.underWay < best.underWay ? one : best));
      line.underWay += 1;
      try {
        return (await ask<Row>(await (line.client ??= openOn(line)), text, values)).rows;
      } finally {
        line.underWay -= 1;
      }
    },
    waiting: () => lines.reduce((sum, { underWay }) => sum + Math.max(0, underWay - 1), 0),
    close: async () => {
      const opened = await Promise.allSettled(lines.map(({ client }) => client));
      await Promise.all(opened.map((one) => (one.status === 'fulfilled' ? one.value?.end() : undefined)));
    },
  };
};

/** What a database that was connected here is asked over. */
interface Connections {
  /** The pool as Kysely's driver uses it. */
  readonly pool: PostgresPool;
  /** Undefined where there are too few connections to share any. */
  readonly shared: SharedConnections | undefined;
  /** Lets a few of the statements that may take long run at once. */
  readonly limit: LimitFunction;
}

const pools = new WeakMap<Db, Connections>();

/** Says over which connections a database is asked; a transaction has none of its own. */
export const noteConnections = (db: Db, connections: Connections): void => void pools.set(db, connections);

/** The values of a statement that is put together; each stands in the text as its number. */
export interface Values {
  /** Adds a value; answers how the text names it, such as `$3`. */
  add(value: unknown): string;
  readonly all: unknown[];
}

export const noValues = (): Values => {
  const all: unknown[] = [];
  return { all, add: (value) => `$${all.push(value)}` };
};

/**
 * Once more where its plan was outdated and nothing before it is lost; inside a transaction the caller has to begin
 * anew.
 */
const retried = async <A>(db: Db, run: () => Promise<A>): Promise<A> => {
  try {
    return await run();
  } catch (error) {
    if (!isOutdatedPlan(error) || db.isTransaction) throw error;
    return run();
  }
};

/**
 * Rows of a statement written as text, inside a transaction or not; prepared if its text is (`prepared`). Never put a
 * value into `text`: it belongs to `values`.
 */
export const query = async <Row extends object>(db: Db, text: string, values: readonly unknown[]): Promise<Row[]> =>
  (await retried(db, () => db.executeQuery<Row>(CompiledQuery.raw(text, [...values])))).rows;

/** Rows of a builder's statement, prepared under `name`; its text must be of a few kinds only. */
export const queryPrepared = async <Row>(db: Db, name: string, builder: Compilable<Row>): Promise<Row[]> => {
  const compiled = builder.compile();
  prepared(name, compiled.sql);
  return (await retried(db, () => db.executeQuery(compiled))).rows;
};

/** As `query`, for a statement that may take long: a third of the connections answers such ones, the others wait. */
export const queryLimited: typeof query = async (db, text, values) => {
  const { limit } = pools.get(db) ?? {};
  return limit === undefined ? query(db, text, values) : limit(() => query(db, text, values));
};

/**
 * As `query`, for a statement that never takes long, whatever its values: it is sent on a connection that other
 * requests use, too, without waiting for theirs (decision 025).
 */
export const queryPipelined: typeof query = async <Row extends object>(
  db: Db,
  text: string,
  values: readonly unknown[],
) => {
  const { shared } = pools.get(db) ?? {};
  return shared === undefined ? query<Row>(db, text, values) : retried(db, () => shared.query<Row>(text, values));
};

const compiler = new PostgresQueryCompiler();
const adapter = new PostgresAdapter();

/** Transactions whose statements may be sent while others are under way. */
const pipelined = new WeakSet<Trx>();

const IN_FAILED_TRANSACTION = '25P02';
const isOfAborted = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === IN_FAILED_TRANSACTION;

/**
 * Steps of a transaction that need none of each other's answers: asked together, in their order, where it is pipelined,
 * else one after the other. In any other transaction `Promise.all` of writes would be wrong: once one has failed, what
 * still waits is sent behind the rollback, where it counts.
 */
export const together = async <T extends readonly unknown[]>(
  trx: Trx,
  ...steps: { [K in keyof T]: () => Promise<T[K]> }
): Promise<T> => {
  const answers: unknown[] = [];
  if (pipelined.has(trx)) {
    const ended = await Promise.allSettled(steps.map(async (step) => step()));
    const reasons = ended.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    // All behind a statement that failed fail as well, and may say so sooner.
    if (reasons.length > 0) throw reasons.find((reason) => !isOfAborted(reason)) ?? reasons[0];
    for (const each of ended) if (each.status === 'fulfilled') answers.push(each.value);
    return answers as unknown as T;
  }
  for (const step of steps) answers.push(await step());
  return answers as unknown as T;
};

/**
 * A transaction in the driver's pipeline mode: what is asked together (`Promise.all`) is one round trip, in the order
 * in which it is asked, and BEGIN goes with the first of it. `last` is sent with the commit. After a statement that
 * fails all behind it fail, and nothing was done. Never ask together what should only be done where an answer is as
 * expected.
 */
export const pipelineTransaction = async <A>(
  db: Db,
  work: (trx: Trx) => Promise<A>,
  last: (trx: Trx, answer: A) => Promise<unknown> | undefined = () => undefined,
): Promise<A> => {
  const pool = pools.get(db)?.pool;
  if (pool === undefined) throw new Error('a transaction cannot begin another');
  const dialect = new PostgresDialect({ pool });
  const driver = dialect.createDriver();
  await driver.init();
  const connection = await driver.acquireConnection();
  let isOpen = true;
  const provider: ConnectionProvider = {
    // Kysely's own transactions let one statement at a time through.
    provideConnection: async (consumer) => {
      if (!isOpen) throw new Error('this transaction is over');
      return consumer(connection);
    },
  };
  const executor = new DefaultQueryExecutor(compiler, adapter, provider);
  const trx: Trx = new Transaction<Database>({ config: { dialect }, dialect, driver, executor });
  pipelined.add(trx);
  try {
    const begun = driver.beginTransaction(connection, {});
    // What was sent with it ran outside of any transaction; nothing follows.
    begun.catch(() => (isOpen = false));
    const answer = await work(trx);
    await begun;
    const sent = last(trx, answer);
    isOpen = false;
    // The commit of what failed is a rollback; the driver throws then, and what failed says why.
    for (const ended of await Promise.allSettled([sent, driver.commitTransaction(connection)]))
      if (ended.status === 'rejected') throw ended.reason;
    return answer;
  } catch (error) {
    isOpen = false;
    // Where that fails, too, the driver gives the connection up.
    await driver.rollbackTransaction(connection).catch(() => {});
    throw error;
  } finally {
    await driver.releaseConnection(connection);
  }
};
