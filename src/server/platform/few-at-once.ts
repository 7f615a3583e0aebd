/** Works that take turns. */
export interface Turns {
  /** Runs a work when its turn comes. */
  take<T>(work: () => Promise<T>): Promise<T>;
  /** How many wait for theirs. */
  waiting(): number;
}

/** How long who waits is kept, in milliseconds, and what they are refused with then. */
export interface WaitingLimit {
  readonly ms: number;
  readonly error: () => Error;
}

/**
 * Lets `most` works run at once; the others wait for their turn, in the order in which they came; with a `limit` so many milliseconds at most, and are refused with
 * its error then.
 */
export const fewAtOnce = (most: number, limit?: WaitingLimit): Turns => {
  const waiting: (() => void)[] = [];
  const turn = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer =
        limit &&
        setTimeout(() => {
          waiting.splice(waiting.indexOf(begin), 1);
          reject(limit.error());
        }, limit.ms);
      waiting.push(begin);
    });
  let running = 0;
  return {
    take: async (work) => {
      if (running >= most) await turn();
      else running += 1;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        // A turn is handed on, not given back, so that a newcomer cannot slip in between.
        if (next === undefined) running -= 1;
        else next();
      }
    },
    waiting: () => waiting.length,
  };
};
