import type { OrderRow } from '#contract/orders/order-row.ts';
import type { BookingRow } from './booking-rows.queries.ts';

/** The order of a booking as lists show it; null until it is paid for. */
export const orderOfRow = (row: BookingRow): OrderRow | null =>
  row.orderId === null || row.orderState === null || row.orderDelivery === null
    ? null
    : {
        id: row.orderId,
        state: row.orderState,
        outcome: row.orderOutcome ?? '',
        delivery: row.orderDelivery,
        frozen: row.orderFrozen,
        deciding: row.orderDeciding,
        dueMove: row.orderDueMove ?? '',
        dueAt: row.orderDueAt?.toISOString() ?? null,
        closedAt: row.orderClosedAt?.toISOString() ?? null,
      };
