import { ORDER_MOVE_IDS } from '#contract/orders/states.ts';
import { retryOnContention } from '#server/platform/postgres/retry.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { mailReminder } from './order-mails.service.ts';
import { lockWhole, moveLocked, type OrderRules } from './order-moves.service.ts';
import { findOrder, listDueOrders, readShopNow, takeReminders } from './order.queries.ts';

const BATCH = 50;

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
