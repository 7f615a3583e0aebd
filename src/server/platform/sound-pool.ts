import type { Duplex } from 'node:stream';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';

/** Written where it must not be: the server became a replica, or always was one. */
const READ_ONLY = '25006';
/** The driver's word for an answer that did not come in `query_timeout`, and ours for one that did not come in time. */
const NO_ANSWER = 'Query read timeout';
/** So often within the limit connections that wait are looked at. */
const LOOKS = 10;

/** This database cannot be written to; another one can, soon, at the same address. */
export class NotThePrimary extends Error {
  readonly code = READ_ONLY;
  constructor() {
    super('this database is a replica, and its primary is needed');
    this.name = 'NotThePrimary';
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** Whether the database answered that it can only be read: after a failover the old primary does. */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === READ_ONLY;

/** Whether no answer came in time. The statement may have been carried out, and its answer may still come. */
export const isSilence = (error: unknown): boolean => error instanceof Error && error.message === NO_ANSWER;

/**
 * A connection that leads to where nothing can be written, or that fell silent, stays so: it goes back to nobody. Else the pool would
 * hand out a connection to what was the primary before a failover for as long as it is in use.
 */
const watched = (client: pg.PoolClient): PostgresPoolClient => {
  let isSilent = false;
  let isSpoiled = false;
  const query = async (text: string, parameters: unknown[]): Promise<unknown> => {
    // The answer that is late would be taken for that of the next question.
    if (isSilent) throw new Error('Connection terminated: it fell silent');
    try {
      return await client.query(text, parameters);
    } catch (error) {
      isSilent ||= isSilence(error);
      isSpoiled ||= isSilent || isReadOnly(error);
      throw error;
    }
  };
  return {
    // Kysely's other form is for cursors, which need a driver that is not here.
    query: query as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy === true || isSpoiled),
  };
};

/** The pool as Kysely uses it, which forgets connections that lead nowhere. */
export const soundPool = (pool: pg.Pool): PostgresPool => ({
  Client: pg.Client,
  options: pool.options,
  connect: async () => watched(await pool.connect()),
  end: () => pool.end(),
});

/** A connection that tells since when (performance.now()) it waits for its next answer, if it does. */
export interface WaitingClient extends pg.ClientBase {
  readonly waitsSince: number | undefined;
  readonly connection: { readonly stream: Duplex };
}

/**
 * Gives up every connection that has waited for `limitMs`, or a tenth more; all that was asked of it is refused. One look at all of them,
 * because a timer for each statement keeps its answer in memory until long after. `stop` it when they are closed.
 */
export const endSilence = (limitMs: number): { watch(client: WaitingClient): void; stop(): void } => {
  const clients = new Set<WaitingClient>();
  const timer = setInterval(() => {
    const earliest = performance.now() - limitMs;
    for (const client of clients) {
      if (client.waitsSince !== undefined && client.waitsSince < earliest)
        client.connection.stream.destroy(new Error(NO_ANSWER));
    }
  }, limitMs / LOOKS);
  timer.unref();
  return {
    watch: (client) => {
      clients.add(client);
      client.once('end', () => clients.delete(client));
    },
    stop: () => clearInterval(timer),
  };
};
