import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isContention } from './db.ts';

/** Once more after a pause, and once more: a lock that is not had in three seconds is not had by waiting. */
const TRIES = 3;
const PAUSE_MS = 50;

/**
 * Retries a whole transaction where another one had its lock (R3): nothing of it was done. The back-off grows, with
 * jitter, so that two do not meet again. Only for what means the same however often it is done.
 */
export const retryOnContention = async <T>(transaction: () => Promise<T>): Promise<T> => {
  for (let n = 1; ; n += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (!isContention(error) || n === TRIES) throw error;
      await sleep(n * (PAUSE_MS + randomInt(PAUSE_MS)));
    }
  }
};
