import { readFileSync } from 'node:fs';

const CHECK_MS = 500;

/** Where the system tells (Linux); elsewhere the nearest generation has to do. */
const parentOf = (pid) => {
  try {
    return /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
};

const below = (generations) => (generations === 1 ? process.ppid : `${process.ppid} ${parentOf(process.ppid)}`);

/**
 * Calls back once when the process that started this one is gone, or, with two generations, the one that started that.
 */
export const whenOrphaned = (callback, generations = 1) => {
  const family = below(generations);
  const timer = setInterval(() => {
    if (below(generations) === family) return;
    clearInterval(timer);
    callback();
  }, CHECK_MS);
  timer.unref();
};
