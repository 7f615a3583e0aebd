import { crowd } from './crowd.ts';
import { parcelsOf } from './parcels.ts';
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

/** Of so many of those who come one wants several books in one parcel. */
const PARCELS = 6;

/** Part two: purchases by many buyers, spread over the kills. `progress` tells how many were begun so far. */
export const purchase = (deps: ShopperDeps, buyers: readonly Person[], copies: readonly Copy[], traffic: Traffic) => {
  let begun = 0;
  const buyerNumbered = (n: number): Person => {
    const buyer = buyers[n % buyers.length];
    if (buyer === undefined) throw new Error('There are no buyers.');
    return buyer;
  };
  const wishes = parcelsOf(copies, PARCELS);
  const run = crowd(wishes, traffic.size.atOnce, async (wish, n) => {
    while (n / wishes.length > traffic.kills() + LEAD) await sleep(LOOK_AGAIN_MS);
    begun += 1;
    const [copy] = wish;
    const shopper = createShopper(deps, buyerNumbered(n));
    const wanted = [wish.length === 1 ? shopper.buy(copy) : shopper.buyTogether(wish)];
    if (deps.random() < RIVALRY) {
      wanted.push(createShopper(deps, buyerNumbered(n + Math.floor(buyers.length / 2))).buy(copy));
    }
    await Promise.all(wanted);
  });
  const parcels = wishes.filter((wish) => wish.length > 1).length;
  return { finished: run, progress: () => begun / wishes.length, count: wishes.length, parcels };
};
