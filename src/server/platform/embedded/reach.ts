import { chmodSync, chownSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NAME } from './cluster.ts';
import { shortHash, type Place } from './placement.ts';

/** How the server of a place is reached, for itself (`args`), for `pg` (`pool`) and for any other program (`url`). */
export interface Reach {
  readonly args: readonly string[];
  readonly pool: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly database: string;
    readonly password?: string;
    readonly ssl: false;
  };
  readonly url: string;
}

/** The path of a socket is at most 104 (macOS) or 108 bytes long, its final zero included. */
const SOCKET_PATH_LIMIT_BYTES = 100;
/** Part of the socket's name only; several servers differ by folder. */
const SOCKET_PORT = 5432;

/** A server that is reached by the socket in `folder` and by nothing else. */
export const bySocket = (folder: string): Reach => ({
  args: ['-k', folder, '-p', String(SOCKET_PORT), '-h', ''],
  pool: { host: folder, port: SOCKET_PORT, user: NAME, database: NAME, ssl: false },
  url: `postgres://${NAME}@localhost:${SOCKET_PORT}/${NAME}?host=${encodeURIComponent(folder)}&sslmode=disable`,
});

/** A server that is reached on this machine's own address, with a password. */
export const byLoopback = (port: number, password: string): Reach => ({
  args: ['-k', '', '-p', String(port), '-h', '127.0.0.1'],
  pool: { host: '127.0.0.1', port, user: NAME, database: NAME, password, ssl: false },
  url: `postgres://${NAME}:${password}@127.0.0.1:${port}/${NAME}?sslmode=disable`,
});

const listens = (server: Server, on: { path: string } | { host: string; port: number }): Promise<boolean> =>
  new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(on, () => resolve(true));
  });

/** Some file systems hold no sockets: shared folders of virtual machines, drives of Windows under WSL. */
const holdsSockets = async (folder: string): Promise<boolean> => {
  const server = createServer();
  const probe = path.join(folder, `.probe-${process.pid}`);
  const works = await listens(server, { path: probe });
  server.close();
  rmSync(probe, { force: true });
  return works;
};

/** Makes `folder` for the server's user alone; false when somebody else has it or could enter it. */
const isPrivate = (folder: string, place: Place): boolean => {
  const uid = place.user?.uid ?? process.getuid?.();
  try {
    mkdirSync(folder, { mode: 0o700 });
    chmodSync(folder, 0o700);
    if (place.user) chownSync(folder, place.user.uid, place.user.gid);
  } catch {
    // there already, or not ours to make: the look at it tells
  }
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found !== undefined && found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0;
};

const shortFolders = (place: Place): string[] => {
  const name = `dogear-${place.user?.uid ?? process.getuid?.()}-${shortHash(place.cluster)}`;
  const bases = [process.getuid?.() === 0 ? '/run' : process.env['XDG_RUNTIME_DIR'], tmpdir(), '/tmp'];
  return bases.filter((base) => base !== undefined).map((base) => path.join(base, name));
};

/**
 * Where the server's socket goes: into its own folder, or, when that path is too long or holds no sockets, into a short
 * folder kept for it alone. Undefined: nowhere.
 */
export const socketFolder = async (place: Place): Promise<string | undefined> => {
  for (const folder of [place.cluster, ...shortFolders(place)]) {
    const socket = path.join(folder, `.s.PGSQL.${SOCKET_PORT}`);
    if (Buffer.byteLength(socket) >= SOCKET_PATH_LIMIT_BYTES || !isPrivate(folder, place)) continue;
    // No server runs here now; a lock left behind could name a process number that another program has today.
    rmSync(`${socket}.lock`, { force: true });
    if (await holdsSockets(folder)) return folder;
  }
  return undefined;
};

/** A port of 127.0.0.1 that nobody listens on. */
export const freePort = async (): Promise<number> => {
  const server = createServer();
  await listens(server, { host: '127.0.0.1', port: 0 });
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no loopback address');
  return address.port;
};
