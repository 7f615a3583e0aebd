import type pg from 'pg';
import { isUnavailable, pooled, type Db } from './db.ts';
import { isOutdatedPlan, type StatementNames } from './named-statements.ts';
import type { PipeliningClient } from './shared-connections.ts';
import { ask } from './statement.ts';
import { traced } from './tracing.ts';

/** A statement that is known before its transaction begins. */
export interface KnownStatement {
  readonly text: string;
  readonly values: unknown[];
}

const queryOf = (names: StatementNames, { text, values }: KnownStatement): pg.QueryConfig => {
  const name = names.nameOf(text);
  return name === undefined ? { text, values } : { name, text, values };
};

/** Sends all of a transaction in one packet; the rows of its last statement, or the first error. */
const send = async <Row extends object>(client: pg.ClientBase, queries: readonly pg.QueryConfig[]): Promise<Row[]> => {
  const { stream } = (client as PipeliningClient).connection;
  stream.cork();
  const began = client.query('BEGIN');
  const asked = queries.map((query) => client.query<Row>(query));
  const ended = client.query('COMMIT');
  stream.uncork();
  // The commit of what failed is a rollback, and no error.
  const answers = await Promise.allSettled([began, ...asked, ended]);
  for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
  return (await asked.at(-1))?.rows ?? [];
};

/**
 * A transaction whose statements do not hang on one another's answers: with its commit it is one packet there and one back. Gives the rows of the last statement;
 * where one fails nothing was done, and its error is thrown. Inside another transaction they run there, one by one.
 */
export const transactAtOnce = async <Row extends object>(
  db: Db,
  statements: readonly KnownStatement[],
): Promise<Row[]> => {
  const found = pooled(db);
  if (found === undefined) {
    let rows: Row[] = [];
    for (const { text, values } of statements) rows = await ask<Row>(db, text, values);
    return rows;
  }
  const { pool, names } = found;
  const run = async (queries: readonly pg.QueryConfig[]): Promise<Row[]> => {
    const client = await pool.connect();
    let isLost = false;
    try {
      return await send<Row>(client, queries);
    } catch (error) {
      isLost = isUnavailable(error);
      throw error;
    } finally {
      client.release(isLost);
    }
  };
  const attributes = {
    'db.system.name': 'postgresql',
    'db.query.text': statements.map(({ text }) => text).join(';\n'),
  };
  return traced('TRANSACTION', attributes, () =>
    run(statements.map((statement) => queryOf(names, statement))).catch((error: unknown) => {
      if (!isOutdatedPlan(error)) throw error;
      for (const { text } of statements) names.forget(text);
      return run(statements);
    }),
  );
};
