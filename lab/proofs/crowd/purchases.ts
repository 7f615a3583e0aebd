import { crowd } from './crowd.ts';
import type { Copy, Person } from './people.ts';
import { createShopper, type ShopperDeps } from './shopper.ts';
import type { Size } from '#lab/proofs/sizes.ts';

/** So many of the copies are wanted by a second buyer at the same moment. */
const RIVALRY = 0.15;

interface Traffic {
  readonly size: Size['purchases'];
  /** How far the kills are, from 0 to 1: the purchases are spread over them. */
  readonly kills: () => number;
}

/** The purchases run at most this share of themselves ahead of the kills: each kill shall meet some. */
const LEAD = 0.01;
const LOOK_AGAIN_MS = 20;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Part two: purchases by many buyers, spread over the kills. `begun` tells how many were begun so far. */
export const purchase = (deps: ShopperDeps, buyers: readonly Person[], copies: readonly Copy[], traffic: Traffic) => {
  let begun = 0;
  const buyerNumbered = (n: number): Person => {
    const buyer = buyers[n % buyers.length];
    if (buyer === undefined) throw new Error('There are no buyers.');
    return buyer;
  };
  const run = crowd(copies, traffic.size.atOnce, async (copy, n) => {
    while (n / copies.length > traffic.kills() + LEAD) await sleep(LOOK_AGAIN_MS);
    begun += 1;
    const wanted = [createShopper(deps, buyerNumbered(n)).buy(copy)];
    if (deps.random() < RIVALRY) {
      wanted.push(createShopper(deps, buyerNumbered(n + Math.floor(buyers.length / 2))).buy(copy));
    }
    await Promise.all(wanted);
  });
  return { finished: run, progress: () => begun / copies.length };
};
