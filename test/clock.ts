import { moveShopClock } from '#server/platform/postgres/clock.ts';
import { markShop } from '#server/platform/postgres/shop-mark.ts';
import type { TestApp } from './app.ts';

const HOUR_SECONDS = 3_600;

/** Moves the clock of a test's shop forward, as a demo's; answers the time it shows. */
export const advanceClock = async ({ db }: Pick<TestApp, 'db'>, hours: number): Promise<Date> => {
  await markShop(db, true);
  return moveShopClock(db, hours * HOUR_SECONDS);
};
