import { sql } from 'kysely';
import { expect } from 'vitest';
import { readBooking } from '#contract/bookings/bookings.ts';
import { saveDelivery } from '#contract/delivery/delivery-calls.ts';
import { createPaymentIntent } from '#contract/money/payments.ts';
import { moveOrder, readOrder, type OrderMoveRequest } from '#contract/orders/orders.ts';
import { orderRulesOf } from '#server/app.ts';
import { moveDueOrders, remindOfOrders } from '#server/orders/order-sweep.service.ts';
import { finishRefunds } from '#server/payments/refunds/refund.service.ts';
import type { TestApp } from './app.ts';
import { advanceClock } from './clock.ts';
import { aDeal, aSale, bookingOf, failing, GOOD_CARD, intentIdOf, recordPaid, type Deal } from './deal.ts';
import type { TestUser } from './make.ts';
import { confirmCard } from './money/pay.ts';

export type Sold = Deal & { intentId: string; orderId: string };

/** What tests of orders do with a shop, which is asked for when it is open. */
export const orderSteps = (shop: () => TestApp) => {
  const sold = async (): Promise<Sold> => {
    const t = shop();
    const sale = await aSale(t);
    const { body } = await t.call(readBooking, { params: { id: sale.bookingId } }, { as: sale.buyer });
    return { ...sale, orderId: body.orderId ?? '' };
  };
  const move = (sale: Sold, as: TestUser, body: OrderMoveRequest) =>
    shop().call(moveOrder, { params: { id: sale.orderId }, body }, { as });
  return {
    sold,
    /** An order whose books are posted, as the seller of a shop with post would have it. */
    posted: async (): Promise<Sold> => {
      const sale = await sold();
      await shop().db.updateTable('orders').set({ delivery: 'post' }).where('id', '=', sale.orderId).execute();
      expect(await move(sale, sale.seller, { move: 'post', carrier: 'USPS', tracking: '9400 1' })).toMatchObject({
        status: 200,
      });
      return sale;
    },
    /** Posted for four dollars, which the buyer paid. */
    postedForFour: async (): Promise<Sold> => {
      const t = shop();
      const deal = await aDeal(t);
      const terms = { pickup: true, pickupPlace: '', post: true, first: 4, further: 1, freeFrom: null };
      const delivery = { ...terms, countries: ['US'], daysToPost: 3 };
      await t.call(saveDelivery, { body: delivery }, { as: deal.seller });
      const { buyer, bookingId } = deal;
      const address = { name: 'Bo', line1: '1 Main Street', line2: '', city: 'Portland', state: 'OR' };
      const to = { ...address, postcode: '97201', country: 'US' };
      const body = { price: 7.5, bookingId, bookingIds: [bookingId], delivery: 'post' as const, address: to };
      const { clientSecret } = (await t.call(createPaymentIntent, { body }, { as: buyer })).body;
      await confirmCard(t.standinUrl, clientSecret, GOOD_CARD);
      const intentId = intentIdOf(clientSecret);
      expect((await recordPaid(t, deal, intentId)).status).toBe(200);
      const sale = { ...deal, intentId, orderId: (await bookingOf(t, deal)).orderId ?? '' };
      expect((await move(sale, sale.seller, { move: 'post', carrier: 'USPS', tracking: '9400 1' })).status).toBe(200);
      return sale;
    },
    move,
    read: async (sale: Sold, as: TestUser) =>
      (await shop().call(readOrder, { params: { id: sale.orderId } }, { as })).body,
    /** So many days go by, and the shop does what is due. */
    ahead: async (days: number): Promise<void> => {
      const t = shop();
      await advanceClock(t, Math.round(days * 24));
      await moveDueOrders(t.db, orderRulesOf(t.config), failing);
      await remindOfOrders(t.db);
      await finishRefunds(t.payments, failing);
    },
    /** Cents of an order on an account. */
    onAccount: async (sale: Sold, account: string): Promise<number> => {
      const { rows } = await sql<{ cents: number }>`
        SELECT coalesce(sum(e.amount_cents), 0)::int AS cents FROM ledger_transactions t
          JOIN ledger_entries e ON e.transaction_id = t.id
        WHERE t.order_id = ${sale.orderId} AND e.account = ${account}`.execute(shop().db);
      return rows[0]?.cents ?? Number.NaN;
    },
    refunded: async (sale: Sold): Promise<number | undefined> =>
      (await shop().provider.findIntent(sale.intentId))?.refundedCents,
  };
};
