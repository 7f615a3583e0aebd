import pg from 'pg';
import { isUnavailable, pooled, type Db } from './db.ts';
import { isOutdatedPlan, type StatementNames } from './named-statements.ts';
import type { PipeliningClient } from './shared-connections.ts';
import { ask } from './statement.ts';
import { traced } from './tracing.ts';

/** A statement that is known before its transaction begins. */
export interface KnownStatement {
  readonly text: string;
  readonly values: (string | number | null)[];
}

interface NamedStatement extends KnownStatement {
  readonly name?: string;
}

const queryOf = (names: StatementNames, { text, values }: KnownStatement): NamedStatement => {
  const name = names.nameOf(text);
  return name === undefined ? { text, values } : { name, text, values };
};

/** What the driver calls of a question; `submit` is how it is asked. */
interface Asking {
  submit: (connection: Wire) => void;
  handleDataRow: (message: unknown) => void;
  handleCommandComplete: (message: unknown, connection: Wire) => void;
}

/** The driver's connection: the messages of PostgreSQL's protocol, one by one. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  readonly parsedStatements: Readonly<Record<string, string | undefined>>;
  bind(message: { statement: string; values: unknown[] }): void;
  describe(message: { type: 'P' }): void;
  execute(message: object): void;
  sync(): void;
}

const textOf = (value: string | number | null): string | null => (value === null ? null : String(value));

/**
 * Asks statements that are prepared on this connection as what PostgreSQL makes one transaction by itself: all that comes before one `Sync`. There is no BEGIN and no COMMIT to be carried out,
 * and all answers leave together, where each `Sync` has one that wakes us. Only the last one's rows are wanted.
 */
const askAsOne = <Row extends object>(
  client: pg.ClientBase,
  statements: readonly (NamedStatement & { readonly name: string })[],
): Promise<Row[]> =>
  new Promise((resolve, reject) => {
    const query = new pg.Query<Row>({ text: '' }, (error, result) => (error ? reject(error) : resolve(result.rows)));
    const asking = query as unknown as Asking;
    const { handleDataRow, handleCommandComplete } = asking;
    let left = statements.length;
    Object.assign(query, {
      submit: (wire) => {
        wire.stream.cork();
        for (const [place, { name, values }] of statements.entries()) {
          wire.bind({ statement: name, values: values.map(textOf) });
          if (place === statements.length - 1) wire.describe({ type: 'P' });
          wire.execute({});
        }
        wire.sync();
        wire.stream.uncork();
      },
      handleDataRow: (message) => {
        if (left === 1) handleDataRow.call(query, message);
      },
      handleCommandComplete: (message, wire) => {
        left -= 1;
        if (left === 0) handleCommandComplete.call(query, message, wire);
      },
    } satisfies Asking);
    client.query(query);
  });

const isPrepared = (client: pg.ClientBase, statement: NamedStatement): statement is NamedStatement & { name: string } =>
  statement.name !== undefined &&
  (client as unknown as { connection: Wire }).connection.parsedStatements[statement.name] !== undefined;

/** Sends all of a transaction in one packet; the rows of its last statement, or the first error. */
const send = async <Row extends object>(client: pg.ClientBase, queries: readonly NamedStatement[]): Promise<Row[]> => {
  const prepared = queries.filter((query) => isPrepared(client, query));
  if (prepared.length === queries.length) return askAsOne<Row>(client, prepared);
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
  const { pool, names, known } = found;
  const run = async (queries: readonly NamedStatement[]): Promise<Row[]> => {
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
    known.take(() =>
      run(statements.map((statement) => queryOf(names, statement))).catch((error: unknown) => {
        if (!isOutdatedPlan(error)) throw error;
        for (const { text } of statements) names.forget(text);
        return run(statements);
      }),
    ),
  );
};
