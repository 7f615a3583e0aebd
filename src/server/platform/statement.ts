import { CompiledQuery } from 'kysely';
import { pooled, type Db } from './db.ts';
import { runNamed } from './named-statements.ts';

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
 * A value, as `add` named it, that the planner does not look at: the statement has one plan for all its values, so it must be written
 * for the kind of value that it is asked with.
 */
export const unseen = (named: string, type: 'text' | 'tsquery'): string => `(SELECT ${named}::${type})`;

/**
 * Rows of a statement of a hot path, written as text: nothing is compiled, and what comes again is prepared once a connection
 * (named-statements.ts). Inside a transaction it runs there. Never put a value into `text`: it belongs to `values`.
 */
export const ask = async <Row extends object>(db: Db, text: string, values: unknown[]): Promise<Row[]> => {
  const found = pooled(db);
  if (found === undefined) return (await db.executeQuery<Row>(CompiledQuery.raw(text, values))).rows;
  const { pool, names } = found;
  return (await runNamed(names, text, values, (query) => pool.query<Row>(query))).rows;
};

/** As `ask`, for a statement that may take long: a third of the connections answers such ones, and the others wait for their turn. */
export const askLong = async <Row extends object>(db: Db, text: string, values: unknown[]): Promise<Row[]> => {
  const { long } = pooled(db) ?? {};
  return long === undefined ? ask<Row>(db, text, values) : long.take(() => ask<Row>(db, text, values));
};

/**
 * As `ask`, for a statement that never takes long, whatever its values: it stands in line with those of other requests on a shared connection,
 * which costs less than one of its own (decision 025).
 */
export const askShort = async <Row extends object>(db: Db, text: string, values: unknown[]): Promise<Row[]> => {
  const { shared, names } = pooled(db) ?? {};
  if (shared === undefined || names === undefined) return ask<Row>(db, text, values);
  return (await runNamed(names, text, values, (query) => shared.query<Row>(query))).rows;
};
