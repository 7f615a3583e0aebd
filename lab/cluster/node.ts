import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Running } from './process.ts';

const LOOK_AGAIN_MS = 50;
const STOP_LIMIT_MS = 15_000;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const isThere = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const parentOf = (pid: string): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program stands in brackets before it, and may hold anything.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
};

/** A PostgreSQL under Patroni, as a machine of its own. */
export interface DatabaseNode {
  readonly name: string;
  start(): void;
  /** kill -9 of Patroni, the postmaster and all its children, at once; answers how many processes that were. */
  kill(): Promise<number>;
  /** Stops both for good, and leaves nothing of the server in memory. */
  stop(): Promise<void>;
  /** Removes the data folder of a stopped node. */
  erase(): Promise<void>;
  isAlive(): boolean;
  tail(): string;
}

export const makeNode = (options: { name: string; dataDir: string; launch: () => Running }): DatabaseNode => {
  const { name, dataDir } = options;
  let patroni: Running | undefined;

  /** The postmaster of this node's folder and nobody else's. */
  const postmaster = (): number | undefined => {
    const file = path.join(dataDir, 'postmaster.pid');
    if (!existsSync(file)) return undefined;
    const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
    if (!Number.isInteger(pid) || pid <= 1 || !isThere(pid)) return undefined;
    const command = existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : '';
    return command.includes(dataDir) ? pid : undefined;
  };

  const gone = async (pids: readonly number[]): Promise<void> => {
    const deadline = performance.now() + STOP_LIMIT_MS;
    while (pids.some((pid) => isThere(pid)) && performance.now() < deadline) await sleep(LOOK_AGAIN_MS);
  };

  const send = (pid: number, signal: NodeJS.Signals): void => {
    try {
      process.kill(pid, signal);
    } catch {
      // it went by itself meanwhile
    }
  };

  const kill = async (): Promise<number> => {
    const server = postmaster();
    const ended = patroni?.end('SIGKILL');
    if (server === undefined) {
      await ended;
      return 1;
    }
    const children = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && parentOf(pid) === server);
    const pids = [server, ...children.map(Number)];
    for (const pid of pids) send(pid, 'SIGKILL');
    await Promise.all([ended, gone(pids)]);
    return pids.length + 1;
  };

  return {
    name,
    start: () => void (patroni = options.launch()),
    kill,
    stop: async () => {
      await patroni?.end('SIGKILL');
      const server = postmaster();
      if (server === undefined) return;
      // At once, but by itself: so it gives its shared memory back.
      send(server, 'SIGQUIT');
      await gone([server]);
      await kill();
    },
    erase: () => rm(dataDir, { recursive: true, force: true }),
    isAlive: () => patroni?.isAlive() === true,
    tail: () => patroni?.tail() ?? '',
  };
};
