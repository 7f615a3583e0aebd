import { createHash } from 'node:crypto';
import { unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// A socket's path must fit into 104 bytes on macOS and 108 on Linux, its final zero included.
const MAX_SOCKET_PATH = 100;

/**
 * Claims a file for this process until the returned function is called or the process dies, however it dies: the claim
 * is a listening socket, which the system closes with its owner, so a `kill -9` leaves nothing to clean up by hand.
 * Throws when another process holds the claim. Where sockets cannot be made at all, the file goes unclaimed.
 */
export async function claimFile(file: string, what = 'Stripe stand-in'): Promise<() => Promise<void>> {
  const path = socketPath(file);
  const first = await tryListen(path);
  if (first.server) return () => closeServer(first.server);
  if (first.code !== 'EADDRINUSE') return async () => {};
  if (await someoneAnswers(path)) throw new Error(`Another ${what} is already using ${file}.`);
  await unlink(path).catch(() => {});
  const second = await tryListen(path);
  if (second.server) return () => closeServer(second.server);
  throw new Error(`Another ${what} is already using ${file}.`);
}

function socketPath(file: string): string {
  const beside = `${file}.lock`;
  if (Buffer.byteLength(beside) <= MAX_SOCKET_PATH) return beside;
  const name = createHash('sha256').update(file).digest('hex').slice(0, 16);
  return join(tmpdir(), `dogear-stripe-${name}.lock`);
}

function tryListen(path: string): Promise<{ server: Server; code?: undefined } | { server?: undefined; code: string }> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => resolve({ code: error.code ?? 'UNKNOWN' }));
    server.listen(path, () => {
      // The claim alone must not keep a process alive.
      server.unref();
      resolve({ server });
    });
  });
}

function someoneAnswers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
