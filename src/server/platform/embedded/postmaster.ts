import { execFileSync, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import type { Place } from './placement.ts';
import { diskRefusal, EmbeddedPostgresError, reasonIn } from './refusal.ts';
import { spawnAs } from './server-user.ts';

/** A running server: the process whose children do the work. */
export interface Postmaster {
  readonly pid: number;
  /** Fulfils when the process is gone, with how it went. */
  readonly exited: Promise<string>;
}

/** What PostgreSQL writes about itself into postmaster.pid. */
export interface PidFile {
  readonly pid: number;
  readonly port: number;
  readonly socketFolder: string;
  readonly ready: boolean;
}

const POLL_MS = 25;
const ADOPTED_POLL_MS = 250;
/** Recovery after a crash reads the log since the last checkpoint: seconds, minutes at worst. */
const READY_LIMIT_MS = 300_000;
const FAST_LIMIT_MS = 15_000;
const IMMEDIATE_LIMIT_MS = 3_000;
const LOG_LIMIT_BYTES = 5_000_000;

const pidFile = (cluster: string): string => path.join(cluster, 'postmaster.pid');

export const readPidFile = (cluster: string): PidFile | undefined => {
  try {
    const lines = readFileSync(pidFile(cluster), 'utf8').split('\n');
    const pid = Number(lines[0]);
    if (!Number.isInteger(pid) || pid <= 0) return undefined;
    return { pid, port: Number(lines[3]), socketFolder: lines[4] ?? '', ready: lines[7]?.trim() === 'ready' };
  } catch {
    return undefined;
  }
};

const commandOf = (pid: number): string => {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
};

/** Whether process `pid` is the server of `cluster`; a number alone says nothing, since numbers are used again. */
const isPostmasterOf = (pid: number, cluster: string): boolean => commandOf(pid).includes(`postgres -D ${cluster} `);

const whenGone = async (pid: number, cluster: string): Promise<string> => {
  while (isPostmasterOf(pid, cluster)) await sleep(ADOPTED_POLL_MS, undefined, { ref: false });
  return 'it is gone';
};

/** The server that an earlier process left running on `cluster`. The caller owns the folder. */
export const findOrphan = (cluster: string): (Postmaster & PidFile) | undefined => {
  const found = readPidFile(cluster);
  if (found === undefined) return undefined;
  if (isPostmasterOf(found.pid, cluster)) return { ...found, exited: whenGone(found.pid, cluster) };
  // After a reboot the number may be another program's, and PostgreSQL would take that for a server. Its parent's number
  // it knows to be stale. The rest of the file stays: by it PostgreSQL finds what is left of the server before.
  const [, ...rest] = readFileSync(pidFile(cluster), 'utf8').split('\n');
  writeFileSync(pidFile(cluster), [process.pid, ...rest].join('\n'));
  return undefined;
};

/** The server did not start because parts of the one before still run; they end by themselves soon. */
export class StillInUse extends EmbeddedPostgresError {}

/**
 * Starts the server and fulfils when it takes connections. It runs in a session of its own, so that Ctrl-C reaches
 * only us, who then stop it in good order.
 */
export const launch = async (
  place: Place,
  binaries: Binaries,
  args: readonly string[],
  giveUp: AbortSignal,
): Promise<Postmaster> => {
  const log = path.join(place.dataDir, 'postgres.log');
  const { output, begin } = openLog(log);
  const child = spawn(binaries.postgres, ['-D', place.cluster, ...args], {
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
  const deadline = performance.now() + READY_LIMIT_MS;
  while (ended === '' && !giveUp.aborted && performance.now() < deadline) {
    const status = readPidFile(place.cluster);
    if (child.pid !== undefined && status?.pid === child.pid && status.ready) return { pid: child.pid, exited };
    await sleep(POLL_MS);
  }
  if (ended === '' && child.pid !== undefined) {
    signal(child.pid, 'SIGQUIT');
    await exited;
  }
  const reason = giveUp.aborted ? 'it was told to stop' : reasonIn(readFileSync(log).subarray(begin).toString('utf8'));
  if (/still in use|lock file .* already exists/.test(reason)) throw new StillInUse(reason);
  throw new EmbeddedPostgresError(
    `PostgreSQL does not start on ${place.cluster}: ${reason} (more may stand in ${log}).`,
  );
};

/** Where the server writes, and from where on it is this start's; a log that grew large makes way for a new one. */
const openLog = (file: string): { output: number; begin: number } => {
  try {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT_BYTES) renameSync(file, `${file}.1`);
    const output = openSync(file, 'a', 0o600);
    return { output, begin: fstatSync(output).size };
  } catch (error) {
    throw diskRefusal(path.dirname(file), error);
  }
};

export const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name);
  } catch {
    // gone already
  }
};

/** Stops a server: at once for its clients, with its work on disk; harder if that takes too long. */
export const end = async (postmaster: Postmaster): Promise<void> => {
  for (const [name, limitMs] of [
    ['SIGINT', FAST_LIMIT_MS],
    ['SIGQUIT', IMMEDIATE_LIMIT_MS],
    ['SIGKILL', IMMEDIATE_LIMIT_MS],
  ] as const) {
    signal(postmaster.pid, name);
    const waiting = new AbortController();
    const late = sleep(limitMs, 'late', { signal: waiting.signal }).catch(() => 'late');
    const how = await Promise.race([postmaster.exited, late]);
    waiting.abort();
    if (how !== 'late') return;
  }
};
