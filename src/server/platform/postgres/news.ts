import pg from 'pg';
import { connectionName } from '#server/platform/release.ts';

/** How often the connection is asked whether it still lives. */
const HEARTBEAT_MS = 250;
/** Without an answer for so long nothing that was heard is relied on. */
const TRUST_MS = 700;
const RECONNECT_PAUSE_MS = 500;
const CONNECT_TIMEOUT_MS = 2_000;

export interface News {
  /** Whether everything that was told until a moment ago has been heard. */
  isCurrent(): boolean;
  /** Where the database's log stands, such as `16/B374D848`: whatever was told before the question lies at or before it. */
  position(): Promise<string>;
  stop(): Promise<void>;
}

interface Listener {
  readonly channel: string;
  /** What the database told. */
  readonly onNews: (payload: string) => void;
  /** The connection is there (again): what happened meanwhile is not known. */
  readonly onGap: () => void;
}

/**
 * Listens to NOTIFY on a connection of its own, which must reach the database itself and not a pooler. A broken connection is
 * opened again; until then, and while it does not answer, `isCurrent` is false.
 */
export const listenForNews = (url: string, { channel, onNews, onGap }: Listener): News => {
  let client: pg.Client | undefined;
  let answeredAt = Number.NEGATIVE_INFINITY;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  const later = (work: () => void, pause: number): void => {
    if (!isStopped) timer = setTimeout(work, pause).unref();
  };

  // One question at a time; their answers come in the order of the questions.
  let asked: Promise<unknown> = Promise.resolve();
  const ask = <A extends pg.QueryResultRow>(alive: pg.Client, question: string): Promise<pg.QueryResult<A>> => {
    const answer = asked.then(() => alive.query<A>(question));
    asked = answer.catch(() => {});
    return answer;
  };

  const lose = (lost: pg.Client): void => {
    if (client !== lost) return;
    client = undefined;
    answeredAt = Number.NEGATIVE_INFINITY;
    clearTimeout(timer);
    void lost.end().catch(() => {});
    later(open, RECONNECT_PAUSE_MS);
  };

  const beat = async (alive: pg.Client): Promise<void> => {
    const askedAt = performance.now();
    let isAnswered = false;
    const giveUp = (): void => (isAnswered ? undefined : lose(alive));
    // Where this process itself was late, the answer may be here and only not be read yet: that comes before an immediate.
    const silence = setTimeout(() => setImmediate(giveUp), TRUST_MS).unref();
    try {
      // Answers come in order: whatever was told before this answer has been heard.
      await ask(alive, 'SELECT');
      isAnswered = true;
      if (client === alive) answeredAt = askedAt;
      later(() => void beat(alive), HEARTBEAT_MS);
    } catch {
      lose(alive);
    } finally {
      clearTimeout(silence);
    }
  };

  const open = (): void => {
    const opening = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: connectionName('news'),
    });
    client = opening;
    opening.on('error', () => lose(opening));
    opening.on('end', () => lose(opening));
    opening.on('notification', ({ payload }) => onNews(payload ?? ''));
    const listen = async (): Promise<void> => {
      await opening.connect();
      await opening.query(`LISTEN ${opening.escapeIdentifier(channel)}`);
      onGap();
      await beat(opening);
    };
    listen().catch(() => lose(opening));
  };
  open();

  return {
    isCurrent: () => performance.now() - answeredAt < TRUST_MS,
    position: async () => {
      if (client === undefined) throw new Error('the news are being connected');
      const { rows } = await ask<{ at: string }>(client, 'SELECT pg_current_wal_insert_lsn()::text AS at');
      return rows[0]?.at ?? '';
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      const last = client;
      client = undefined;
      await last?.end().catch(() => {});
    },
  };
};
