/**
 * A mutex for each key, in this process: work of one key runs one after the other, whatever the work before it came to.
 * More than `mostWaiting` for one key are refused at once.
 */
export const createKeyedMutex = (mostWaiting: number, refusal: () => Error) => {
  const last = new Map<string, Promise<unknown>>();
  const underWay = new Map<string, number>();
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const count = underWay.get(key) ?? 0;
    if (count > mostWaiting) throw refusal();
    underWay.set(key, count + 1);
    const before = last.get(key);
    const mine = (async () => {
      await before?.catch(() => {});
      return work();
    })();
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
      const left = (underWay.get(key) ?? 1) - 1;
      if (left === 0) underWay.delete(key);
      else underWay.set(key, left);
    }
  };
};
