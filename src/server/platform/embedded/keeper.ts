import { setTimeout as sleep } from 'node:timers/promises';
import { end, signal, StillInUse, type Postmaster } from './postmaster.ts';

/** A server that is started again whenever it ends by itself. */
export interface Keeper {
  onExit(listener: (how: string) => void): void;
  onRecovery(listener: () => void): void;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** While processes of the server before still run, every start fails at once; they end within a second or two. */
const RETRY_MS = 300;

/** Keeps a server running: `first` now, and what `start` answers after each end nobody asked for. */
export const keepRunning = (
  first: Postmaster,
  start: (giveUp: AbortSignal) => Promise<Postmaster>,
  log: (line: string) => void,
): Keeper => {
  const exitListeners: ((how: string) => void)[] = [];
  const recoveryListeners: (() => void)[] = [];
  const stopping = new AbortController();
  let current: Postmaster | undefined;
  /** Restarts and recoveries, one at a time. */
  let work: Promise<void> = Promise.resolve();
  let stopped: Promise<void> | undefined;

  const watch = (postmaster: Postmaster): void => {
    current = postmaster;
    void postmaster.exited.then((how) => {
      if (postmaster !== current) return;
      current = undefined;
      log(`PostgreSQL ended unexpectedly (${how}) and is being started again.`);
      for (const listener of exitListeners) listener(how);
      work = work.then(recover);
    });
  };

  const recover = async (): Promise<void> => {
    let told = '';
    while (current === undefined && !stopping.signal.aborted) {
      try {
        watch(await start(stopping.signal));
        log('PostgreSQL takes connections again.');
        for (const listener of recoveryListeners) listener();
      } catch (error) {
        const reason = error instanceof StillInUse ? told : String(error instanceof Error ? error.message : error);
        if (reason !== told && !stopping.signal.aborted) log(reason);
        told = reason;
        await sleep(RETRY_MS);
      }
    }
  };

  const endCurrent = async (): Promise<void> => {
    const ending = current;
    current = undefined;
    if (ending !== undefined) await end(ending);
  };

  // A process that ends without stop() takes its server along; only kill -9 leaves one behind, to be adopted later.
  const onProcessExit = (): void => {
    if (current !== undefined) signal(current.pid, 'SIGINT');
  };
  process.once('exit', onProcessExit);
  watch(first);

  return {
    onExit: (listener) => void exitListeners.push(listener),
    onRecovery: (listener) => void recoveryListeners.push(listener),
    restart: () => (work = work.then(endCurrent).then(recover)),
    stop: () =>
      (stopped ??= (async () => {
        stopping.abort();
        await work;
        await endCurrent();
        process.off('exit', onProcessExit);
      })()),
  };
};
