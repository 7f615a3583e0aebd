import { mayMove } from '#contract/orders/states.ts';
import { retryOnContention } from '#server/platform/postgres/retry.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { listAbandonedOrders } from './leaving.queries.ts';
import { lockWhole, moveLocked, type OrderRules } from '#server/orders/order-moves.service.ts';

export { countOpenOrders } from './leaving.queries.ts';

const BATCH = 200;

const cancelOne = (db: Db, rules: OrderRules, orderId: string, adminId: string | null): Promise<void> =>
  retryOnContention(() =>
    db.transaction().execute(async (trx) => {
      const locked = await lockWhole(trx, orderId);
      const { state, frozenBy } = locked.order;
      if (!mayMove(state, 'cancel-unposted', 'admin', frozenBy)) return;
      await moveLocked(trx, rules, locked, { id: 'cancel-unposted', by: 'admin', userId: adminId });
    }),
  );

/**
 * Cancels orders that nobody will post, as their seller is not in the shop any more, each in a transaction of its own;
 * the sweep gives the money back. Of one seller, whom an admin has just deleted, or of all. What a bank looks into
 * stays.
 */
export const cancelAbandonedOrders = async (
  db: Db,
  rules: OrderRules,
  of: { sellerId: string; adminId: string } | undefined,
  onError: (error: unknown, orderId: string) => void,
): Promise<void> => {
  for (const orderId of await listAbandonedOrders(db, of?.sellerId, BATCH)) {
    await cancelOne(db, rules, orderId, of?.adminId ?? null).catch((error: unknown) => onError(error, orderId));
  }
};
