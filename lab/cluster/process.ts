import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync, closeSync } from 'node:fs';
import type { ServerUser } from '#server/platform/demo/placement.ts';

/** A program of the cluster. */
export interface Running {
  readonly name: string;
  readonly pid: number;
  isAlive(): boolean;
  /** The end of what it printed. */
  tail(): string;
  /** Sends the signal and waits until the process is gone. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

export interface ProcessOptions {
  readonly name: string;
  readonly setpriv: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly user: ServerUser | undefined;
  readonly logFile: string;
}

const TAIL = 3_000;
const END_LIMIT_MS = 15_000;

const ours = new Set<() => void>();
process.once('exit', () => {
  for (const kill of ours) kill();
});

/**
 * Starts a program as an unprivileged user, in a session of its own (Ctrl-C is for the drill, which ends the others in
 * order), and so that the system kills it when the drill is killed.
 */
export const startProcess = (options: ProcessOptions): Running => {
  const { user, logFile } = options;
  const as = user === undefined ? [] : ['--reuid', String(user.uid), '--regid', String(user.gid), '--clear-groups'];
  const log = openSync(logFile, 'a');
  const child = spawn(options.setpriv, [...as, '--pdeathsig', 'KILL', ...options.command], {
    cwd: '/',
    detached: true,
    env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', TZ: 'UTC', ...options.env },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const kill = (): void => void child.kill('SIGKILL');
  ours.add(kill);
  const exited = once(child, 'exit').then(() => void ours.delete(kill));
  exited.catch(() => {});
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null && child.pid !== undefined;
  return {
    name: options.name,
    pid: child.pid ?? 0,
    isAlive,
    tail: () => readFileSync(logFile, 'utf8').slice(-TAIL),
    end: async (signal) => {
      if (!isAlive()) return;
      child.kill(signal);
      const limit = setTimeout(kill, END_LIMIT_MS);
      await exited;
      clearTimeout(limit);
    },
  };
};
