import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { codeOf } from '#server/platform/errors.ts';
import { isTracing, traced } from '#server/platform/tracing.ts';

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

const ask: typeof send = (client, text, values) => {
  if (!isTracing()) return send(client, text, values);
  const verb = text.trimStart().split(/\s/, 1)[0]?.toUpperCase() ?? 'SQL';
  // The text of a statement holds no values.
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text };
  return traced(verb, attributes, () => send(client, text, values));
};

const watched = (client: pg.PoolClient): PostgresPoolClient => {
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
export const watchedPool = (pool: pg.Pool): PostgresPool => ({
  Client: pg.Client,
  options: pool.options,
  connect: async () => watched(await pool.connect()),
  end: () => pool.end(),
});

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
