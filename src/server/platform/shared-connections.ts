import type pg from 'pg';
import { fewAtOnce, type WaitingLimit } from './few-at-once.ts';
import type { WaitingClient } from './sound-pool.ts';

/** A client made with `pipeline: true`: it sends what it is asked without waiting for the answer before. */
export type PipeliningClient = pg.Client & WaitingClient;

/** Connections that many requests use at once: short statements follow one another without waiting for an answer in between. */
export interface SharedConnections {
  query<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>>;
  /** How many statements are under way that are not the first on their connection, or wait to be. */
  waiting(): number;
  /** Says goodbye once what was asked is answered. */
  close(): Promise<void>;
}

/**
 * So many statements are under way on one connection at most, the others wait for whichever has an answer first: where PostgreSQL's process behind it is kept waiting
 * by the machine, those wait with it, and no more. Enough that it does not wait for us.
 */
const UNDER_WAY = 8;

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
 * A statement goes where the fewest are; where all have as many as they may it waits for its turn, no longer than `limit` says.
 */
export const shareConnections = (
  open: () => Promise<PipeliningClient>,
  count: number,
  limit: WaitingLimit,
): SharedConnections => {
  const turns = fewAtOnce(count * UNDER_WAY, limit);
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

  const askOne = async <Row extends pg.QueryResultRow>(asked: pg.QueryConfig): Promise<pg.QueryResult<Row>> => {
    const line = shortest();
    line.underWay += 1;
    try {
      const client = await (line.client ??= openOn(line));
      gather(client);
      return await client.query<Row>(asked);
    } catch (error) {
      if (asked.name === undefined || !isNameless(error)) throw error;
      return await askOne({ text: asked.text, values: asked.values ?? [] });
    } finally {
      line.underWay -= 1;
    }
  };

  return {
    query: (asked) => turns.take(() => askOne(asked)),
    waiting: () => lines.reduce((sum, { underWay }) => sum + Math.max(0, underWay - 1), turns.waiting()),
    close: async () => {
      // Whoever waits has their turn before this one.
      await turns.take(async () => {}).catch(() => {});
      const opened = await Promise.allSettled(lines.map(({ client }) => client));
      await Promise.all(opened.map((line) => (line.status === 'fulfilled' ? line.value?.end() : undefined)));
    },
  };
};
