import { STANDSTILL_MS } from '#contract/orders/deadlines.ts';
import { ORDER_MOVE_IDS } from '#contract/orders/states.ts';
import { retryOnContention } from '#server/platform/postgres/retry.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { mailReminder } from '#server/orders/mails/order-mails.service.ts';
import { lockWhole, moveLocked, type OrderRules } from './order-moves.service.ts';
import { findOrder, readShopNow } from './order.queries.ts';
import { listDueOrders, takeReminders } from './order-due.queries.ts';
import { beat, isBeating, lockHeartbeat, putOff } from '#server/orders/problems/standstill.queries.ts';

const BATCH = 50;
/** The heartbeat is written this often: a standstill is known this closely. */
const BEAT_SECONDS = 60;

/** How long the shop stood still, and how many orders have as much more time for it. */
export interface Standstill {
  readonly ms: number;
  readonly orders: number;
}

/**
 * Writes down that the shop is looking after its orders. Where it did not for over an hour, everybody gets as much more
 * time first, in one transaction; of several processes one does it. Undefined where it did not stand still.
 */
export const keepHeartbeat = async (db: Db): Promise<Standstill | undefined> => {
  if (await isBeating(db, BEAT_SECONDS)) return undefined;
  return retryOnContention(() =>
    db.transaction().execute(async (trx) => {
      const ms = await lockHeartbeat(trx);
      // Another process has written it meanwhile.
      if (ms < BEAT_SECONDS * 1_000) return undefined;
      const standstill = ms > STANDSTILL_MS ? { ms, orders: await putOff(trx, ms) } : undefined;
      await beat(trx);
      return standstill;
    }),
  );
};

const moveOne = (db: Db, rules: OrderRules, orderId: string): Promise<boolean> =>
  retryOnContention(() =>
    db.transaction().execute(async (trx) => {
      const locked = await lockWhole(trx, orderId);
      const { dueAt, dueMove } = locked.order;
      const id = ORDER_MOVE_IDS.find((each) => each === dueMove);
      // Between the look and the lock somebody else may have moved it.
      if (dueAt === null || id === undefined || dueAt > (await readShopNow(trx))) return false;
      await moveLocked(trx, rules, locked, { id, by: 'clock', userId: null });
      return true;
    }),
  );

/** Makes the moves whose time has come, each in a transaction of its own; answers how many. */
export const moveDueOrders = async (
  db: Db,
  rules: OrderRules,
  onError: (error: unknown, orderId: string) => void,
): Promise<number> => {
  let moved = 0;
  for (const orderId of await listDueOrders(db, BATCH)) {
    try {
      if (await moveOne(db, rules, orderId)) moved += 1;
    } catch (error) {
      onError(error, orderId);
    }
  }
  return moved;
};

/** Reminds of what is due soon, once each; answers how many were reminded. */
export const remindOfOrders = (db: Db): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const due = await takeReminders(trx, BATCH);
    for (const { orderId, kind } of due) {
      const order = await findOrder(trx, orderId);
      if (order !== undefined) await mailReminder(trx, { orderId, kind, enteredAt: order.enteredAt });
    }
    return due.length;
  });
