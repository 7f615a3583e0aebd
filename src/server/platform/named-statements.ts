import pg from 'pg';
import { isTracing, traced } from './tracing.ts';

/** More names than the shop has statements; each costs every connection some memory in PostgreSQL. */
const MOST_NAMES = 300;
/** Texts that were seen once; beyond so many they are forgotten. */
const MOST_SEEN = 2_000;
/** Longer texts are batches of rows, no two of them alike. */
const LONGEST_TEXT = 10_000;

/**
 * Statements whose best plan hangs on the values: a rare word or a common one. A plan that was made for all of them would be wrong for
 * most, so they are planned each time; unless the value is hidden from the planner (`unseen` in statement.ts).
 */
const PLANNED_EACH_TIME = /(?<!\(SELECT \$\d+)::tsquery| LIKE \$| % /i;

/** What is worth preparing; the words of transactions and settings are not. */
const PREPARED = /^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\s/i;

export interface StatementNames {
  /** The name that a text is prepared under, the same on every connection; undefined where it is not worth one. */
  nameOf(text: string): string | undefined;
  /** The tables have changed under what was prepared: from now on the text has another name. */
  forget(text: string): void;
}

/** Names for the texts that come more than once; the first ones keep theirs, so that nobody can crowd them out. */
export const createStatementNames = (): StatementNames => {
  const names = new Map<string, string | undefined>();
  let seen = new Set<string>();
  let given = 0;
  return {
    nameOf: (text) => {
      const name = names.get(text);
      if (name !== undefined || names.size >= MOST_NAMES) return name;
      if (text.length > LONGEST_TEXT || !PREPARED.test(text) || PLANNED_EACH_TIME.test(text)) return undefined;
      if (!seen.has(text)) {
        if (seen.size >= MOST_SEEN) seen = new Set();
        seen.add(text);
        return undefined;
      }
      seen.delete(text);
      given += 1;
      const fresh = `dogear_${given}`;
      names.set(text, fresh);
      return fresh;
    },
    forget: (text) => void names.delete(text),
  };
};

/** Whether a prepared statement no longer fits its tables: they were changed by a migration since. */
export const isOutdatedPlan = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === '0A000' &&
  error.message.includes('cached plan must not change result type');

const runPrepared = async <Result>(
  names: StatementNames,
  text: string,
  values: unknown[],
  run: (query: pg.QueryConfig) => Promise<Result>,
): Promise<Result> => {
  const name = names.nameOf(text);
  try {
    return await run(name === undefined ? { text, values } : { name, text, values });
  } catch (error) {
    if (name === undefined || !isOutdatedPlan(error)) throw error;
    names.forget(text);
    return run({ text, values }).catch(() => {
      throw error;
    });
  }
};

/**
 * Runs a statement under its name, if it has one. One that was prepared before a migration is prepared again, once; inside a
 * transaction that is too late, and the error is thrown.
 */
export const runNamed = <Result>(
  names: StatementNames,
  text: string,
  values: unknown[],
  run: (query: pg.QueryConfig) => Promise<Result>,
): Promise<Result> => {
  if (!isTracing()) return runPrepared(names, text, values, run);
  const verb = text.trimStart().split(/\s/, 1)[0]?.toUpperCase() ?? 'SQL';
  // The text of a statement holds no values.
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text };
  return traced(verb, attributes, () => runPrepared(names, text, values, run));
};

type Asking = (...given: unknown[]) => unknown;

/**
 * Asks for an answer with a callback. The promise that the driver makes itself holds on to the question and the answer before it: once one of them is old, all that come
 * after are kept in memory until the next full collection.
 */
const answered = async (ask: Asking, given: readonly unknown[]): Promise<unknown> => {
  try {
    return await new Promise((resolve, reject) => {
      ask(...given, (error: Error | null | undefined, result: unknown) => (error ? reject(error) : resolve(result)));
    });
  } catch (error) {
    // It came with what the socket brought; who asked says more.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
};

/** Whether the driver is to answer with a promise: there is no callback, and no stream that takes the rows. */
const wantsPromise = (given: readonly unknown[]): boolean =>
  typeof given.at(-1) !== 'function' && typeof (given[0] as { submit?: unknown } | null)?.submit !== 'function';

/** A kind of connection that prepares what it is asked more than once. */
export const namingClient = (names: StatementNames): typeof pg.Client => {
  class NamingClient extends pg.Client {
    /** As `WaitingClient` (sound-pool.ts) has it. */
    waitsSince: number | undefined;

    constructor(config?: string | pg.ClientConfig) {
      super(config);
      this.connection.on('readyForQuery', () => (this.waitsSince = performance.now()));
      this.on('drain', () => (this.waitsSince = undefined));
    }

    // What is called with a text and its values is named; everything else goes on as it came.
    override query(...given: unknown[]): never {
      this.waitsSince ??= performance.now();
      const [text, values] = given;
      const plain = super.query.bind(this) as Asking;
      if (!wantsPromise(given)) return plain(...given) as never;
      if (given.length !== 2 || typeof text !== 'string' || !Array.isArray(values))
        return answered(plain, given) as never;
      return runNamed(names, text, values, (query) => answered(plain, [query])) as never;
    }
  }
  return NamingClient;
};
