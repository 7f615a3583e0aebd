/** Works that take turns. */
export interface Turns {
  /** Runs a work when its turn comes. */
  take<T>(work: () => Promise<T>): Promise<T>;
  /** How many wait for theirs. */
  waiting(): number;
}

/** Lets `most` works run at once; the others wait for their turn, in the order in which they came. */
export const fewAtOnce = (most: number): Turns => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    take: async (work) => {
      if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
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
