import type { History } from '#lab/proofs/crowd/history.ts';
import type { Copy, Person } from '#lab/proofs/crowd/people.ts';
import { createShopper, type ShopperDeps } from '#lab/proofs/crowd/shopper.ts';

const AT_ONCE = 4;
const PAUSE_MS = 100;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The clients' log, which also remembers by this process's clock when the shop gave its word. */
export const withTimes = (history: History) => {
  const times: number[] = [];
  const noted: History = {
    ...history,
    note: (entry) => {
      history.note(entry);
      // A confirmation is the provider's word, not the shop's.
      if (entry.word === 'ok' && entry.deed !== 'confirm') times.push(performance.now());
    },
  };
  return { history: noted, times: times as readonly number[] };
};

/** Books and buys copy after copy, some people at once, until stopped; who has begun goes on to the end. */
export const startBuying = (deps: ShopperDeps, buyers: readonly Person[], copies: readonly Copy[]) => {
  let [next, isOver] = [0, false];
  const buy = async (): Promise<void> => {
    while (!isOver) {
      const n = next++;
      const [buyer, copy] = [buyers[n % buyers.length], copies[n]];
      if (buyer === undefined || copy === undefined) throw new Error('Everything is sold.');
      await createShopper(deps, buyer).buy(copy);
      await sleep(PAUSE_MS);
    }
  };
  const buying = Promise.all(Array.from({ length: AT_ONCE }, buy));
  buying.catch(() => {});
  return {
    begun: () => next,
    stop: async (): Promise<void> => {
      isOver = true;
      await buying;
    },
  };
};
