import type pg from 'pg';
import type { WaitingClient } from './sound-pool.ts';

/** A client made with `pipeline: true`: it sends what it is asked without waiting for the answer before. */
export type PipeliningClient = pg.Client & WaitingClient;

/** Connections that many requests use at once: short statements follow one another without waiting for an answer in between. */
export interface SharedConnections {
  query<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>>;
  /** How many statements are under way that are not the first on their connection. */
  waiting(): number;
  /** Says goodbye once what was asked is answered. */
  close(): Promise<void>;
}

interface Line {
  client: Promise<PipeliningClient> | undefined;
  underWay: number;
}

/** Whether a statement went by a name that one before it on the same connection was to give, which could not. */
const isNameless = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '26000';

/** What is asked in one round of the event loop leaves in one packet. */
const gather = ({ connection: { stream } }: PipeliningClient): void => {
  if (stream.writableCorked > 0) return;
  stream.cork();
  setImmediate(() => stream.uncork());
};

/**
 * Shares `count` connections. Each is opened when it is first needed, and again after it was lost; what was under way on it is refused.
 * A statement goes where the fewest are.
 */
export const shareConnections = (open: () => Promise<PipeliningClient>, count: number): SharedConnections => {
  const lines: Line[] = Array.from({ length: count }, () => ({ client: undefined, underWay: 0 }));

  const openOn = (line: Line): Promise<PipeliningClient> => {
    const leave = (): void => {
      if (line.client === opening) line.client = undefined;
    };
    const opening = open().then((client) => {
      client.once('error', leave);
      client.once('end', leave);
      return client;
    });
    opening.catch(leave);
    return opening;
  };

  const shortest = (): Line => lines.reduce((best, line) => (line.underWay < best.underWay ? line : best));

  const query = async <Row extends pg.QueryResultRow>(asked: pg.QueryConfig): Promise<pg.QueryResult<Row>> => {
    const line = shortest();
    line.underWay += 1;
    try {
      const client = await (line.client ??= openOn(line));
      gather(client);
      return await client.query<Row>(asked);
    } catch (error) {
      if (asked.name === undefined || !isNameless(error)) throw error;
      return await query({ text: asked.text, values: asked.values ?? [] });
    } finally {
      line.underWay -= 1;
    }
  };

  return {
    query,
    waiting: () => lines.reduce((sum, { underWay }) => sum + Math.max(0, underWay - 1), 0),
    close: async () => {
      const opened = await Promise.allSettled(lines.map(({ client }) => client));
      await Promise.all(opened.map((line) => (line.status === 'fulfilled' ? line.value?.end() : undefined)));
    },
  };
};
