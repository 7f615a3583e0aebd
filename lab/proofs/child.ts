import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import lean from '#scripts/bootstrap/lean.json' with { type: 'json' };

const projectRoot = path.join(import.meta.dirname, '../..');
/** Ends a child whose parent was killed: nothing of a run outlives it. */
const WITH_PARENT = pathToFileURL(path.join(projectRoot, 'scripts/bootstrap/with-parent.mjs')).href;
const KEPT_OUTPUT = 20_000;

/** A process of ours. */
export interface Child {
  readonly pid: number;
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
  isAlive(): boolean;
  output(): string;
  /** Fulfils once the output matches; rejects when the process ends first. */
  said(pattern: RegExp): Promise<RegExpExecArray>;
  kill(signal: 'SIGKILL' | 'SIGTERM' | 'SIGUSR2'): void;
}

const ours = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of ours) child.kill('SIGKILL');
});

/**
 * Runs a script of the tree on this Node, as `npm start` runs the shop; all it prints goes to `logFile`, too, where
 * there is one.
 */
export const startChild = (
  tree: string,
  script: string,
  args: string[],
  env: Record<string, string>,
  logFile?: string,
): Child => {
  const child = spawn(process.execPath, [...lean.flags, '--import', WITH_PARENT, path.join(tree, script), ...args], {
    cwd: tree,
    env: { ...process.env, ...lean.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  ours.add(child);
  let output = '';
  const readers = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      if (logFile !== undefined) appendFileSync(logFile, chunk);
      output = (output + chunk.toString()).slice(-KEPT_OUTPUT);
      for (const reader of readers) reader();
    });
  }
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  const exited = once(child, 'exit').then(([code, signal]) => {
    ours.delete(child);
    return { code: code as number | null, signal: signal as string | null };
  });
  return {
    pid: child.pid ?? 0,
    exited,
    isAlive,
    output: () => output,
    said: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(output);
          if (found === null) return;
          readers.delete(look);
          resolve(found);
        };
        readers.add(look);
        look();
        void exited.then(() => reject(new Error(`${script} ended:\n${output}`)));
      }),
    kill: (signal) => void child.kill(signal),
  };
};
