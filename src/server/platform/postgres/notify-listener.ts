import { once } from 'node:events';
import pg from 'pg';
import { connectionName } from '#server/platform/release.ts';
import { repeat } from '#server/platform/repeat.ts';
import { outage, SILENCE_MS, withoutSilence } from './heartbeat.ts';

/** How often the connection is asked whether it still lives. */
const HEARTBEAT_MS = 250;
const CONNECT_TIMEOUT_MS = 2_000;

export interface NotifyListener {
  /** Whether everything that was sent until a moment ago has been heard. */
  isCurrent(): boolean;
  stop(): Promise<void>;
}

interface NotifyOptions {
  /** What is done with what is sent, by its channel. */
  readonly onNotify: Readonly<Record<string, (payload: string) => void>>;
  /** The connection is there (again): what was sent meanwhile is not known. */
  readonly onGap: () => void;
}

/**
 * Listens to NOTIFY on a connection of its own, which must reach the database itself and not a pooler. A broken
 * connection is opened again; until then, and while it does not answer, `isCurrent` is false.
 */
export const listenForNotify = (url: string, { onNotify, onGap }: NotifyOptions): NotifyListener => {
  let client: pg.Client | undefined;
  let answeredAt = Number.NEGATIVE_INFINITY;

  const lose = (lost: pg.Client | undefined): void => {
    if (client === lost) {
      client = undefined;
      answeredAt = Number.NEGATIVE_INFINITY;
    }
    void lost?.end().catch(() => {});
  };

  const open = async (): Promise<pg.Client> => {
    const opening = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: connectionName('listen'),
    });
    client = opening;
    for (const event of ['error', 'end'] as const) opening.on(event, () => lose(opening));
    opening.on('notification', ({ channel, payload }) => onNotify[channel]?.(payload ?? ''));
    // One that is ended on its way is never told of by the driver.
    await Promise.race([opening.connect(), once(opening, 'end').then(() => Promise.reject(outage('it was ended')))]);
    for (const channel of Object.keys(onNotify)) await opening.query(`LISTEN ${opening.escapeIdentifier(channel)}`);
    onGap();
    return opening;
  };

  const beat = async (): Promise<void> => {
    const alive = client ?? (await open());
    const askedAt = performance.now();
    // Answers come in order: whatever was sent before this answer has been heard.
    await withoutSilence(alive.query('SELECT'));
    if (client === alive) answeredAt = askedAt;
  };
  const beats = repeat(beat, HEARTBEAT_MS, () => lose(client));

  return {
    isCurrent: () => performance.now() - answeredAt < SILENCE_MS,
    stop: async () => {
      lose(client);
      await beats.stop();
      lose(client);
    },
  };
};
