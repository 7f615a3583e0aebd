import type { Trx } from '#server/platform/postgres/db.ts';
import type { Order } from './order.queries.ts';

/** Counts a wrong code; a locked order takes no other. */
export const countWrongCode = async (trx: Trx, id: string): Promise<void> => {
  await trx
    .updateTable('orders')
    .set((eb) => ({ code_failures: eb('code_failures', '+', 1) }))
    .where('id', '=', id)
    .execute();
};

/** Whether a code is that of another order which its seller has ready to be picked up. */
export const isCodeOfAnother = async (
  trx: Trx,
  { id, sellerId }: Pick<Order, 'id' | 'sellerId'>,
  code: string,
): Promise<boolean> => {
  const row = await trx
    .selectFrom('orders')
    .select('id')
    .where('seller_id', '=', sellerId)
    .where('state', '=', 'ready')
    .where('pickup_code', '=', code)
    .where('id', '!=', id)
    .executeTakeFirst();
  return row !== undefined;
};
