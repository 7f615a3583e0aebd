import { CompiledQuery, type Compilable } from 'kysely';
import { isOutdatedPlan, prepared } from './connections.ts';
import { pooled, type Db } from './db.ts';

export { prepared } from './connections.ts';

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
  const { limit } = pooled(db) ?? {};
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
  const { shared } = pooled(db) ?? {};
  return shared === undefined ? query<Row>(db, text, values) : retried(db, () => shared.query<Row>(text, values));
};
