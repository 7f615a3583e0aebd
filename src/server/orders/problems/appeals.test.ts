// Case 17: disputes that are lost and then won on appeal, in every place where an order's money can be meanwhile.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refundBooking } from '#contract/money/money-admin.ts';
import { createPaymentIntent } from '#contract/money/payments.ts';
import { takeDispute } from '#server/payments/disputes/dispute.service.ts';
import { lookAtSellers } from '#server/payments/payouts/due.service.ts';
import { sendReversals } from '#server/payments/payouts/reversal.service.ts';
import { sendPayouts } from '#server/payments/payouts/transfer.service.ts';
import { reconcileAll } from '#server/payments/reconciliation/reconcile.service.ts';
import { finishRefunds } from '#server/payments/refunds/refund.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { expectInvariants } from '#test/money/expect-invariants.ts';
import { connectDouble } from '#test/money/connect-double.ts';
import {
  aDeal,
  atProvider,
  bookingOf,
  copyOf,
  deliver,
  failing,
  GOOD_CARD,
  intentIdOf,
  recordPaid,
} from '#test/deal.ts';
import { anAdmin, type TestUser } from '#test/make.ts';
import { orderSteps, type Sold } from '#test/order-steps.ts';
import { confirmCard } from '#test/money/pay.ts';

let t: TestApp;
let admin: TestUser;

beforeAll(async () => {
  t = await testApp({ env: { COMMISSION_PERCENT: '10' } });
  admin = await anAdmin(t);
});
afterAll(() => t.close());

const { sold, posted, move, read, ahead, refunded } = orderSteps(() => t);

/** Cents of an order on each account that has some; what is pending and what is due are both its seller's. */
const accounts = async ({ orderId }: Sold): Promise<Record<string, number>> => {
  const { rows } = await sql<{ account: string; cents: number }>`
    SELECT replace(e.account, '-pending', '') AS account, sum(e.amount_cents)::int AS cents
    FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id
    WHERE t.order_id = ${orderId} GROUP BY 1 HAVING sum(e.amount_cents) <> 0 ORDER BY 1`.execute(t.db);
  return Object.fromEntries(rows.map(({ account, cents }) => [account, cents]));
};

const balanced = async () => await expectInvariants(t.db);

/** What the provider says of a dispute now, taken down as the webhook does. */
const hear = async (id: string): Promise<void> => {
  const facts = await t.provider.findDispute(id);
  if (facts === undefined) throw new Error(`no dispute ${id}`);
  await t.db.transaction().execute((trx) => takeDispute(trx, facts, t.payments.hooks));
  await balanced();
};

/** A buyer's bank takes the money of an order, or so much of it, back. */
const disputed = async ({ intentId }: Sold, amount?: number): Promise<string> => {
  const { id } = await atProvider(t, '/disputes', {
    payment_intent: intentId,
    ...(amount !== undefined && { amount }),
  });
  await hear(String(id));
  return String(id);
};
const lose = async (id: string): Promise<void> => {
  await atProvider(t, `/disputes/${id}/close`, { status: 'lost' });
  await hear(id);
};
const appeal = async (id: string, status: 'appeal_under_review' | 'won'): Promise<void> => {
  await atProvider(t, `/disputes/${id}/appeal`, { status });
  await hear(id);
};
const subjects = async ({ email }: TestUser) => (await t.mailTo(email)).map(({ subject }) => subject);

describe('a dispute that is lost and then won on appeal', () => {
  test('over a book on its way leaves every cent where it was, and its seller with their share', async () => {
    const sale = await posted();
    const before = await accounts(sale);
    expect(before).toEqual({ commission: -75, provider: 750, 'provider-fees': -52, seller: -623 });
    const id = await disputed(sale);
    await lose(id);
    expect(await read(sale, sale.seller)).toMatchObject({ state: 'closed', outcome: 'lost' });
    expect(await accounts(sale)).toEqual({ 'provider-fees': -52, 'refund-costs': 52 });
    // That it is appealed changes nothing yet.
    await appeal(id, 'appeal_under_review');
    expect(await read(sale, sale.seller)).toMatchObject({ frozen: false, outcome: 'lost' });
    await appeal(id, 'won');
    await hear(id);
    expect(await accounts(sale)).toEqual(before);
    expect(await read(sale, sale.seller)).toMatchObject({ state: 'closed', outcome: 'kept', frozen: false });
    expect((await read(sale, sale.buyer)).events.filter((event) => event.move === 'win-appeal')).toHaveLength(1);
    for (const person of [sale.seller, sale.buyer]) {
      expect(await subjects(person)).toContain(`Won on appeal: ${sale.copy.title}`);
    }
    expect((await subjects(admin)).filter((subject) => subject.includes(sale.copy.title)).toSorted()).toEqual([
      `Dispute lost: ${sale.copy.title}`,
      `Dispute won: ${sale.copy.title}`,
      `Disputed: ${sale.copy.title}`,
      `Stopped by the bank: ${sale.copy.title}`,
    ]);
  });

  test('over a book that was never posted gives its buyer the money, at the shop’s cost', async () => {
    const sale = await sold();
    const id = await disputed(sale);
    await lose(id);
    expect(await read(sale, sale.seller)).toMatchObject({ state: 'cancelled', outcome: 'lost' });
    // Its seller has it and may sell it again.
    expect(await bookingOf(t, sale)).toMatchObject({ refunded: true });
    expect((await copyOf(t, sale)).status).toBe('Available');
    expect(await refunded(sale)).toBe(0);
    await appeal(id, 'won');
    await finishRefunds(t.payments, failing);
    await balanced();
    expect(await read(sale, sale.seller)).toMatchObject({ state: 'cancelled', outcome: 'refunded' });
    expect(await refunded(sale)).toBe(750);
    expect(await accounts(sale)).toEqual({ 'provider-fees': -52, 'refund-costs': 52 });
    expect(await subjects(sale.buyer)).toContain(`Refunded: ${sale.copy.title}`);
  });

  test('after it was paid out takes the transfer back, and pays it again', async () => {
    const sale = await posted();
    const at = connectDouble();
    const deps = { ...t.payments, provider: { ...t.payments.provider, connect: at.connect } };
    const account = at.readyAccount(sale.seller.id);
    await sql`INSERT INTO payout_accounts (seller_id, account_id, country, status, ready_at)
      VALUES (${sale.seller.id}, ${account}, 'US', 'active', shop_now())`.execute(t.db);
    const pay = async (): Promise<void> => {
      await lookAtSellers(t.db, failing);
      await sendPayouts(deps, failing);
      await sendReversals(deps, failing);
      await balanced();
    };
    const sentCents = () =>
      at.transfers.reduce((sum, { amountCents, reversedCents }) => sum + amountCents - reversedCents, 0);
    await move(sale, sale.buyer, { move: 'receive' });
    await ahead(3.1);
    await pay();
    const paid = await accounts(sale);
    expect([sentCents(), paid]).toEqual([623, { commission: -75, provider: 127, 'provider-fees': -52 }]);

    const id = await disputed(sale);
    await pay();
    await lose(id);
    expect(sentCents()).toBe(0);
    await appeal(id, 'won');
    await pay();
    expect([sentCents(), await accounts(sale)]).toEqual([623, paid]);
    // It had ended long before: how is not changed by what the bank did later.
    const seen = await read(sale, sale.seller);
    expect(seen).toMatchObject({ state: 'closed', outcome: 'completed' });
    expect(seen.events.slice(-3).map((event) => event.move)).toEqual(['dispute-later', 'lose-later', 'win-later']);
    expect((await subjects(sale.seller)).filter((subject) => subject.startsWith('Decided by the bank'))).toHaveLength(
      2,
    );
  });

  test('after a part was given back touches the rest alone', async () => {
    const sale = await posted();
    await move(sale, sale.buyer, { move: 'receive' });
    await ahead(3.1);
    expect(await move(sale, admin, { move: 'refund-later', amount: 2 })).toMatchObject({ status: 200 });
    await finishRefunds(t.payments, failing);
    const before = await accounts(sale);
    expect(before).toMatchObject({ provider: 550 });
    const id = await disputed(sale, 550);
    await lose(id);
    expect(await accounts(sale)).not.toHaveProperty('provider');
    await appeal(id, 'won');
    expect(await accounts(sale)).toEqual(before);
    expect(await refunded(sale)).toBe(200);
  });

  test('that no event told of is found by the comparison of everything, once', async () => {
    const sale = await posted();
    const id = await disputed(sale);
    await lose(id);
    await atProvider(t, `/disputes/${id}/appeal`, { status: 'won' });
    for (let times = 0; times < 2; times += 1) await reconcileAll({ ...t.payments, alert: () => {} }, failing);
    await balanced();
    const rows = await t.db
      .selectFrom('money_differences')
      .select(['kind', 'times'])
      .where('subject', '=', `${id} won`)
      .execute();
    expect(rows).toEqual([{ kind: 'missed-dispute', times: 1 }]);
    expect(await read(sale, sale.seller)).toMatchObject({ outcome: 'kept' });
  });

  test('is told by the webhook that says that the money is back', async () => {
    const sale = await posted();
    const id = await disputed(sale);
    await lose(id);
    await atProvider(t, `/disputes/${id}/appeal`, { status: 'won' });
    const told = { id, object: 'dispute', payment_intent: sale.intentId };
    expect((await deliver(t, 'charge.dispute.funds_reinstated', told)).statusCode).toBe(200);
    expect(await read(sale, sale.seller)).toMatchObject({ outcome: 'kept' });
  });
});

describe('a dispute over what was to be refunded anyway', () => {
  /** Cancelled by its buyer, whose bank was faster than the refund. */
  const overtaken = async (): Promise<Sold & { disputeId: string }> => {
    const sale = await sold();
    expect((await move(sale, sale.buyer, { move: 'cancel' })).status).toBe(200);
    const disputeId = await disputed(sale);
    await finishRefunds(t.payments, failing);
    await balanced();
    return { ...sale, disputeId };
  };
  const standing = async ({ intentId }: Sold) =>
    (
      await t.db
        .selectFrom('money_differences')
        .select('kind')
        .where('subject', '=', intentId)
        .where('mended_at', 'is', null)
        .execute()
    ).map(({ kind }) => kind);

  test('lost, the bank has paid the refund: the shop bears its fee alone, and the copy is for sale again', async () => {
    const sale = await overtaken();
    expect(await standing(sale)).toEqual(['refund-refused']);
    await lose(sale.disputeId);
    expect(await standing(sale)).toEqual([]);
    expect(await accounts(sale)).toEqual({ 'provider-fees': -52, 'refund-costs': 52 });
    expect(await bookingOf(t, sale)).toMatchObject({ refunded: true });
    expect((await copyOf(t, sale)).status).toBe('Available');
    expect(await refunded(sale)).toBe(0);
    await reconcileAll({ ...t.payments, alert: () => {} }, failing);
    expect(await standing(sale)).toEqual([]);
  });

  test('won, the shop sends it when an admin tries again', async () => {
    const sale = await overtaken();
    await atProvider(t, `/disputes/${sale.disputeId}/close`, { status: 'won' });
    await hear(sale.disputeId);
    expect((await t.call(refundBooking, { params: { id: sale.bookingId } }, { as: admin })).status).toBe(200);
    await balanced();
    expect([await refunded(sale), await standing(sale)]).toEqual([750, []]);
  });

  test('lost, and won on appeal, is owed to the buyer again, and sent', async () => {
    const sale = await overtaken();
    await lose(sale.disputeId);
    await appeal(sale.disputeId, 'won');
    expect(await accounts(sale)).toMatchObject({ 'owed-to-buyers': -750 });
    await finishRefunds(t.payments, failing);
    await balanced();
    expect(await refunded(sale)).toBe(750);
    expect(await accounts(sale)).toEqual({ 'provider-fees': -52, 'refund-costs': 52 });
    expect(await subjects(sale.buyer)).toContain(`Refunded: ${sale.copy.title}`);
  });
});

test('what the provider keeps for a dispute is the shop’s cost, once', async () => {
  const fees = async (id: string) => {
    const rows = await t.db
      .selectFrom('ledger_transactions as t')
      .innerJoin('ledger_entries as e', 'e.transaction_id', 't.id')
      .select(['e.account', 'e.amount_cents as cents'])
      .where('t.kind', '=', 'dispute-fee')
      .where('t.reference', 'like', `${id}:%`)
      .orderBy('e.account')
      .execute();
    return rows.map(({ account, cents }) => [account, cents]);
  };
  const sale = await posted();
  const id = await disputed(sale);
  const once = [
    ['provider-fees', -1_500],
    ['refund-costs', 1_500],
  ];
  expect(await fees(id)).toEqual(once);
  await lose(id);
  await appeal(id, 'won');
  await hear(id);
  expect(await fees(id)).toEqual(once);
});

describe('a dispute over one book of a parcel', () => {
  /** Two books paid at once. */
  const parcel = async (): Promise<Sold & { otherId: string }> => {
    const deal = await aDeal(t);
    const other = await aDeal(t, { buyer: deal.buyer, seller: deal.seller, price: '12.10' });
    const { bookingId, buyer } = deal;
    const body = { price: 7.5, bookingId, bookingIds: [bookingId, other.bookingId], delivery: 'pickup' as const };
    const { clientSecret } = (await t.call(createPaymentIntent, { body }, { as: buyer })).body;
    await confirmCard(t.standinUrl, clientSecret, GOOD_CARD);
    const intentId = intentIdOf(clientSecret);
    expect((await recordPaid(t, deal, intentId)).status).toBe(200);
    return { ...deal, intentId, orderId: (await bookingOf(t, deal)).orderId ?? '', otherId: other.bookingId };
  };
  /** What of each book's payment a dispute took; the first of the payment's bookings comes first. */
  const firstShare = async ({ intentId }: Sold): Promise<number> => {
    const { amount_cents: cents } = await t.db
      .selectFrom('payments')
      .select('amount_cents')
      .where('provider_id', '=', intentId)
      .orderBy('booking_id')
      .executeTakeFirstOrThrow();
    return cents;
  };

  test('lost before the parcel is posted leaves the other one to be given back; won on appeal, both are', async () => {
    const sale = await parcel();
    const share = await firstShare(sale);
    const id = await disputed(sale, share);
    expect(await read(sale, sale.seller)).toMatchObject({ frozen: true });
    await lose(id);
    await finishRefunds(t.payments, failing);
    await balanced();
    expect(await read(sale, sale.seller)).toMatchObject({ state: 'cancelled', outcome: 'lost' });
    // The provider refunds nothing of a payment that was charged back: an operator is told, and may pay it otherwise.
    const owed = { 'owed-to-buyers': share - 1_960, provider: 1_960 - share };
    expect(await accounts(sale)).toEqual({ 'provider-fees': -87, 'refund-costs': 87, ...owed });
    const kinds = t.db.selectFrom('money_differences').select('kind').where('subject', '=', sale.intentId);
    expect(await kinds.execute()).toEqual([{ kind: 'refund-refused' }]);
    await appeal(id, 'won');
    await finishRefunds(t.payments, failing);
    for (const bookingId of [sale.bookingId, sale.otherId]) {
      expect((await t.call(refundBooking, { params: { id: bookingId } }, { as: admin })).status).toBe(200);
    }
    await balanced();
    expect(await refunded(sale)).toBe(1_960);
    expect(await accounts(sale)).toEqual({ 'provider-fees': -87, 'refund-costs': 87 });
  });

  test('lost after it was handed over costs that book’s share alone, which an appeal brings back', async () => {
    const sale = await parcel();
    const before = await accounts(sale);
    const share = await firstShare(sale);
    await move(sale, sale.seller, { move: 'make-ready', place: 'Here', times: 'Now or later' });
    await move(sale, sale.buyer, { move: 'hand-over' });
    const id = await disputed(sale, share);
    await lose(id);
    expect(await accounts(sale)).toMatchObject({ provider: 1_960 - share });
    await appeal(id, 'won');
    expect(await accounts(sale)).toEqual(before);
    expect(await refunded(sale)).toBe(0);
  });
});
