import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ask } from './database-owner.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#server/platform/demo/embedded-postgres.ts';

const CARELESS = { fsync: 'off', full_page_writes: 'off', shared_buffers: '16MB' };

/** A primary and a standby that follows it by streaming replication, both real. */
export interface Replicated {
  primary(): EmbeddedPostgres;
  standby(): EmbeddedPostgres;
  stop(which: 'primary' | 'standby'): Promise<void>;
  start(which: 'primary' | 'standby'): Promise<void>;
  /** The standby receives what changes and does not show it, until it is resumed. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  close(): Promise<void>;
}

/** Makes the folder of a standby from that of a stopped primary: what pg_basebackup does beside a running one. */
const copyStopped = (from: string, to: string): void => {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  chmodSync(to, statSync(from).mode);
  const cluster = path.join(to, 'postgres');
  writeFileSync(path.join(cluster, 'standby.signal'), '');
  // Root's copy belongs to root, whom PostgreSQL refuses.
  const { uid, gid, mode } = statSync(path.join(from, 'postgres'));
  for (const name of readdirSync(cluster, { recursive: true, encoding: 'utf8' })) {
    chownSync(path.join(cluster, name), uid, gid);
  }
  chownSync(cluster, uid, gid);
  chmodSync(cluster, mode);
};

const follow = (cluster: string, url: string): void => {
  const { searchParams, username, password, port, hostname } = new URL(url);
  const secret = password === '' ? '' : ` password=${password}`;
  const conninfo = `host=${searchParams.get('host') ?? hostname} port=${port} user=${username}${secret}`;
  const settings = `primary_conninfo = '${conninfo}'\nwal_retrieve_retry_interval = '100ms'\n`;
  appendFileSync(path.join(cluster, 'postgresql.auto.conf'), settings);
};

/** Starts the pair; `prepare` fills the primary before it is copied. */
export const startReplicated = async (prepare: (url: string) => Promise<unknown>): Promise<Replicated> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'dogear-replicated-'));
  chmodSync(folder, 0o711);
  const run = (which: string): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({ dataDir: path.join(folder, which), settings: CARELESS, log: () => {} });
  const first = await run('primary');
  await prepare(first.url);
  await first.stop();
  copyStopped(path.join(folder, 'primary'), path.join(folder, 'standby'));
  const primary = await run('primary');
  follow(path.join(folder, 'standby', 'postgres'), primary.url);
  const servers = { primary, standby: await run('standby') };
  const tell = async (sql: string): Promise<void> => void (await ask(servers.standby.url, sql));
  return {
    primary: () => servers.primary,
    standby: () => servers.standby,
    stop: (which) => servers[which].stop(),
    start: async (which) => {
      servers[which] = await run(which);
    },
    pauseReplay: () => tell('SELECT pg_wal_replay_pause()'),
    resumeReplay: () => tell('SELECT pg_wal_replay_resume()'),
    close: async () => {
      await servers.standby.stop();
      await servers.primary.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
