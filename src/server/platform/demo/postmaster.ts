import { StartError } from '#server/platform/start-error.ts';
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { spawnAs, type Place } from './placement.ts';
import { onDisk, reasonIn } from './refusal.ts';

/** A running server: the process whose children do the work. */
export interface Postmaster {
  readonly pid: number;
  /** Fulfils when the process is gone, with how it went. */
  readonly exited: Promise<string>;
}

const POLL_MS = 25;
/** After everything was killed, parts of the server before may still run: they end by themselves soon. */
const STILL_IN_USE = { told: /still in use|lock file .* already exists/, limitMs: 60_000, retryMs: 300 };
/** Recovery after a crash reads the log since the last checkpoint: seconds, minutes at worst. */
const READY_LIMIT_MS = 300_000;
/** The path of a socket is at most 104 (macOS) or 108 bytes long, its final zero included. */
const SOCKET_PATH_LIMIT_BYTES = 100;
const SOCKET = '.s.PGSQL.5432';

/** What PostgreSQL wrote of itself, line by line; the eighth says whether it takes connections. */
const readPidFile = (cluster: string): string[] => {
  try {
    return readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
};

/** Whether process `pid` is the server of `cluster`; a number alone says nothing, since numbers are used again. */
const isServerOf = (pid: number, cluster: string): boolean => {
  try {
    const command =
      process.platform === 'linux'
        ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
        : execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
    return command.includes(`postgres -D ${cluster} `);
  } catch {
    return false;
  }
};

/** Ends the server that a process left running on `cluster` when it was killed. The caller owns the folder. */
export const endOrphan = async (cluster: string): Promise<void> => {
  const [first, ...rest] = readPidFile(cluster);
  if (first === undefined) return;
  const pid = Number(first);
  const gone = async (): Promise<string> => (isServerOf(pid, cluster) ? sleep(POLL_MS).then(gone) : 'it is gone');
  if (isServerOf(pid, cluster)) return end({ pid, exited: gone() });
  // The number may be another program's today, and PostgreSQL would take that for a server; that of its own parent it
  // knows to be stale. The rest of the file stays: by it PostgreSQL finds what is left of the server before.
  writeFileSync(path.join(cluster, 'postmaster.pid'), [process.pid, ...rest].join('\n'));
  rmSync(path.join(cluster, `${SOCKET}.lock`), { force: true });
};

/** Where the socket goes: into the server's own folder, or, where that path is too long, into a temporary one. */
export const socketFolder = ({ cluster, user }: Place): string => {
  if (Buffer.byteLength(path.join(cluster, SOCKET)) < SOCKET_PATH_LIMIT_BYTES) return cluster;
  const folder = mkdtempSync(path.join(tmpdir(), 'dogear-socket-'));
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  return folder;
};

/**
 * Starts the server and fulfils when it takes connections. It runs in a session of its own, so that Ctrl-C reaches
 * only us, who then stop it in good order.
 */
export const launch = async (
  place: Place,
  binaries: Binaries,
  args: readonly string[],
  since = performance.now(),
): Promise<Postmaster> => {
  const log = path.join(place.dataDir, 'postgres.log');
  const output = onDisk(place.dataDir, () => openSync(log, 'w', 0o600));
  const child = spawn(path.join(binaries.bin, 'postgres'), ['-D', place.cluster, ...args], {
    ...spawnAs(place.user),
    detached: true,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  child.unref();
  let ended = '';
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve((ended = error.message)));
    child.once('exit', (code, name) => resolve((ended = name ?? `exit code ${code}`)));
  });
  const { pid = 0 } = child;
  const deadline = performance.now() + READY_LIMIT_MS;
  while (ended === '' && performance.now() < deadline) {
    const lines = readPidFile(place.cluster);
    if (Number(lines[0]) === pid && lines[7]?.trim() === 'ready') return { pid, exited };
    await sleep(POLL_MS);
  }
  if (ended === '') await end({ pid, exited });
  const reason = reasonIn(readFileSync(log, 'utf8'));
  if (STILL_IN_USE.told.test(reason) && performance.now() - since < STILL_IN_USE.limitMs) {
    await sleep(STILL_IN_USE.retryMs);
    return launch(place, binaries, args, since);
  }
  throw new StartError(`PostgreSQL does not start on ${place.cluster}: ${reason} (more may stand in ${log}).`);
};

const LIMITS_MS = { SIGINT: 15_000, SIGQUIT: 3_000, SIGKILL: 3_000 };

/** Stops a server: at once for its clients, with its work on disk; harder if that takes too long. */
export const end = async ({ pid, exited }: Postmaster): Promise<void> => {
  for (const [name, limitMs] of Object.entries(LIMITS_MS)) {
    try {
      process.kill(pid, name);
    } catch {
      return; // gone already
    }
    const waiting = new AbortController();
    const late = sleep(limitMs, 'late', { signal: waiting.signal }).catch(() => 'late');
    const how = await Promise.race([exited, late]);
    waiting.abort();
    if (how !== 'late') return;
  }
};
