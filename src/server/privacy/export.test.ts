import { strFromU8, unzipSync } from 'fflate';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeNote } from '#contract/messages/notes.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aDeal, aSale, askForIntent, bookingOf } from '#test/deal.ts';
import { aBuyer, aSeller, type TestUser } from '#test/make.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const exportOf = async ({ accessToken }: TestUser) => {
  const headers = { authorization: `Bearer ${accessToken}` };
  const { rawPayload } = await t.app.inject({ method: 'GET', url: '/api/account/export', headers });
  const texts = Object.entries(unzipSync(rawPayload)).map(([name, file]) => [name, strFromU8(file)] as const);
  return {
    read: (name: string): unknown => JSON.parse(new Map(texts).get(name) ?? ''),
    text: texts.map(([, text]) => text).join('\n'),
  };
};

const EXPORTED = [
  'account_links',
  'api_keys',
  'adjustments',
  'audit_entries',
  'bank_payouts',
  'booking_promises',
  'bookings',
  'checkout_bookings',
  'checkouts',
  'delivery_terms',
  'devices',
  'dispute_shares',
  'listing_drafts',
  'listings',
  'mail_choices',
  'message_blocks',
  'messages',
  'notices',
  'order_events',
  'order_photos',
  'order_problems',
  'orders',
  'passkeys',
  'payments',
  'payout_accounts',
  'payment_cards',
  'payout_details',
  'payouts',
  'photos',
  'promised_photos',
  'recovery_codes',
  'seller_webhooks',
  'report_cases',
  'reports',
  'reviews',
  'seller_declarations',
  'seller_follows',
  'seller_identities',
  'seller_pages',
  'seller_records',
  'sessions',
  'shelf_pauses',
  'sign_in_identities',
  'stock_copies',
  'stock_files',
  'terms_acceptances',
  'wants',
  'wishes',
  'saved_searches',
];
/** They hold no more than others tell, or what is gone within days. */
const NOT_EXPORTED = [
  'categories',
  'departures',
  'disputes',
  'holds',
  'idempotency_keys',
  'ledger_transactions',
  'message_threads',
  'order_reminders',
  'payment_failures',
  'payment_intents',
  'payout_batches',
  'refunds',
  'sign_in_flows',
  'suspensions',
  'waitlist_entries',
  'want_offers',
  'digests',
  'webhook_deliveries',
];

test('of every table that hangs on a person, a booking or an order it is known whether it is exported', async () => {
  const { rows } = await sql<{ name: string }>`SELECT DISTINCT conrelid::regclass::text AS name FROM pg_constraint
    WHERE contype = 'f' AND confrelid IN ('users'::regclass, 'bookings'::regclass, 'checkouts'::regclass,
      'orders'::regclass, 'payments'::regclass, 'disputes'::regclass)`.execute(t.db);
  expect(rows.map(({ name }) => name).sort()).toEqual([...EXPORTED, ...NOT_EXPORTED].sort());
});

test('the export has where parcels go, what was complained about and what a bank looks into; a seller’s has no address', async () => {
  const [buyer, seller] = [await aBuyer(t), await aSeller(t)];
  const { bookingId } = await aSale(t, { buyer, seller });
  const begun = await aDeal(t, { buyer, seller });
  await askForIntent(t, begun);
  const address = { name: 'Ada', line1: '1 Elm Street', line2: '', city: 'Portland', state: 'OR' };
  const whole = { ...address, postcode: '97201', country: 'US' };
  const json = sql<typeof whole>`${JSON.stringify(whole)}::jsonb`;
  const orderId = (await bookingOf(t, { bookingId, buyer })).orderId ?? '';
  await t.db.updateTable('orders').set({ delivery: 'post', address: json }).where('id', '=', orderId).execute();
  await t.db
    .updateTable('checkouts')
    .set({ delivery: 'post', address: json })
    .where('buyer_id', '=', buyer.id)
    .where('id', '!=', orderId)
    .execute();
  const complaint = {
    order_id: orderId,
    booking_id: null,
    kind: 'damaged',
    words: 'It is wet',
    offer_cents: 100,
    send_back: 'To Ash Street',
  } as const;
  await t.db.insertInto('order_problems').values(complaint).execute();
  const { id: paymentId } = await t.db
    .selectFrom('payments')
    .select('id')
    .where('booking_id', '=', bookingId)
    .executeTakeFirstOrThrow();
  const dispute = { id: 'dp_export', payment_id: paymentId, amount_cents: 750, reason: 'fraudulent' };
  await t.db
    .insertInto('disputes')
    .values({ ...dispute, state: 'open', due_by: null, closed_at: null })
    .execute();
  const share = { dispute_id: 'dp_export', payment_id: paymentId, amount_cents: 750 };
  await t.db.insertInto('dispute_shares').values(share).execute();
  for (const [as, text] of [
    [buyer, 'Is it dry?'],
    [seller, 'It was dry when it left'],
  ] as const)
    await t.call(writeNote, { params: { id: orderId }, body: { text } }, { as });
  const bought = await exportOf(buyer);
  expect(bought.read('notes.json')).toMatchObject([{ order: orderId, text: 'Is it dry?' }]);
  expect(bought.read('orders.json')).toMatchObject([
    {
      id: orderId,
      address: whole,
      problem: 'damaged',
      problem_words: 'It is wet',
      problem_offer: 1,
      problem_send_back: 'To Ash Street',
    },
  ]);
  expect(bought.read('checkouts.json')).toMatchObject([
    { delivery: 'post', address: whole, booking_ids: [begun.bookingId] },
  ]);
  expect(bought.read('payments.json')).toMatchObject([{ amount: 7.5, postage: 0, refunded: 0, disputed: 7.5 }]);
  const sold = await exportOf(seller);
  expect(sold.read('sold-orders.json')).toMatchObject([{ id: orderId, problem_words: 'It is wet' }]);
  expect(sold.text).not.toContain('Elm Street');
});
