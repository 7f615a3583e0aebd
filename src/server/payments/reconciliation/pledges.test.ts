import { sql, type RawBuilder } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApp, type TestApp } from '#test/app.ts';
import { aSale } from '#test/deal.ts';
import { brokenOnce, due, ORDER, posting } from '#test/money/plants.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp();
  await aSale(t);
});
afterAll(() => t.close());

const brokenBy = (...statements: readonly RawBuilder<unknown>[]) => brokenOnce(t.db, statements);

const ID = '7b0c6b3e-0000-4000-8000-000000000001';
/** Of the one payment; `done` by the provider. */
const refund = (state: string, cents = 100) => sql`
  WITH asked AS (INSERT INTO refunds (id, payment_id, intent_id, n, reason, amount_cents, state, done_at)
    SELECT ${ID}, id, provider_id, 1, 'order', ${cents}::integer, ${state}, CASE ${state} WHEN 'done' THEN shop_now() END FROM payments)
  UPDATE payments SET refunded_cents = CASE ${state} WHEN 'done' THEN ${cents}::integer ELSE 0 END`;
const decided = (cents = 100) => posting('part-refund', ID, { 'seller-pending': cents, 'owed-to-buyers': -cents });
const sent = (cents = 100, n = 1) =>
  posting('refund-sent', `${ID}:${n}`, { 'owed-to-buyers': cents, provider: -cents });
const failed = (cents = 100) => posting('refund-failed', `${ID}:1`, { provider: cents, 'owed-to-buyers': -cents });

const dispute = (state: string, cents = 100) => sql`
  WITH opened AS (INSERT INTO disputes (id, payment_id, amount_cents, reason, state, closed_at)
    SELECT 'dp_1', id, ${cents}::integer, 'fraudulent', ${state}, CASE ${state} WHEN 'open' THEN NULL ELSE shop_now() END FROM payments)
  INSERT INTO dispute_shares (dispute_id, payment_id, amount_cents) SELECT 'dp_1', id, ${cents}::integer FROM payments`;
/** Disputes have shares once they are there. */
const share = sql`ALTER TABLE dispute_shares DROP CONSTRAINT dispute_shares_dispute_id_fkey`;
const OF_DISPUTE = sql`(SELECT 'dp_1:' || id FROM payments)`;
const opened = (cents = 100) =>
  posting('dispute-opened', OF_DISPUTE, { 'seller-pending': cents, 'dispute-reserve': -cents });
const lost = (cents = 100) => posting('dispute-lost', OF_DISPUTE, { 'dispute-reserve': cents, provider: -cents });
const won = (cents = 100) => posting('dispute-won', OF_DISPUTE, { 'dispute-reserve': cents, 'seller-pending': -cents });

/** The bank paid the refund. */
const byBank = sql`UPDATE refunds SET dispute_id = 'dp_1'`;

const late = (minutes: number) =>
  sql`UPDATE orders SET due_at = shop_now() - make_interval(mins => ${minutes}::integer)`;
/** The shop looked after its orders just now, and before that a minute ago. */
const beats = sql`INSERT INTO order_heartbeat (at, shop_at, shop_at_before)
  VALUES (now(), shop_now(), shop_now() - interval '1 minute')`;

test('what was decided, sent or disputed with all that belongs to it breaks nothing', async () => {
  expect(await brokenBy(refund('requested'), decided())).toEqual([]);
  expect(await brokenBy(refund('done'), decided(), sent())).toEqual([]);
  expect(await brokenBy(refund('failed'), decided(), sent(), failed())).toEqual([]);
  expect(await brokenBy(share, dispute('open'), opened())).toEqual([]);
  expect(await brokenBy(share, dispute('won'), opened(), won())).toEqual([]);
  expect(await brokenBy(share, dispute('lost'), opened(), lost())).toEqual([]);
  const paidByBank = posting('refund-by-bank', `${ID}:dp_1`, { 'owed-to-buyers': 100, 'refund-costs': -100 });
  expect(
    await brokenBy(share, dispute('lost'), opened(), lost(), refund('done'), decided(), byBank, paidByBank),
  ).toEqual([]);
  expect(await brokenBy(late(10), beats)).toEqual([]);
  expect(await brokenBy(late(10_000))).toEqual([]);
});

test('what was posted before refunds and disputes had parts breaks nothing', async () => {
  const refunded = posting('refund', sql`(SELECT id || ':' || amount_cents FROM payments)`, {
    provider: -750,
    'seller-pending': 698,
    'refund-costs': 52,
  });
  const broken = await brokenBy(refund('done', 750), refunded);
  expect(broken.filter((id) => id.startsWith('I6') || id === 'I25')).toEqual([]);
  const asked = posting('dispute-opened', 'dp_1', { 'seller-pending': 100, 'dispute-reserve': -100 });
  expect(await brokenBy(share, dispute('open'), asked)).toEqual([]);
});

test.each<[says: string, pledge: string, ...statements: RawBuilder<unknown>[]]>([
  ['a sale of nothing', 'I6', posting('sale', ID, { commission: 100, seller: -100 })],
  ['a sale of nothing that nobody has money of', 'I6', posting('sale', ID, { 'refund-costs': 100, commission: -100 })],
  ['postage of nothing', 'I6', posting('postage', ID, { commission: 100, seller: -100 })],
  ['money that nobody paid', 'I6', posting('stray-payment', ID, { provider: 100, 'owed-to-buyers': -100 })],
  ['a release of nothing', 'I6', posting('release', ID, { 'seller-pending': 100, seller: -100 })],
  [
    'a release that takes from the shop',
    'I6',
    posting('release', sql`${ORDER}::text`, { commission: 100, seller: -100 }),
  ],
  [
    'a payment that was posted at another price',
    'I6',
    sql`ALTER TABLE payments DISABLE TRIGGER USER`,
    sql`UPDATE payments SET amount_cents = 751`,
  ],
  ['a payment whose fee was posted otherwise', 'I6', sql`UPDATE payments SET fee_cents = fee_cents + 1`],
  ['a refund that is not posted', 'I6b', refund('requested')],
  ['a refund posted with another amount', 'I6b', refund('requested'), decided(99)],
  ['a part that nobody decided', 'I6b', decided()],
  ['all of it, decided by nobody', 'I6b', posting('refund', ID, { 'refund-costs': 100, 'owed-to-buyers': -100 })],
  [
    'one that was sent and not decided',
    'I6b',
    posting('refund-sent', `${ID}:1`, { 'owed-to-buyers': 100, commission: -100 }),
  ],
  [
    'one that was sent, and from the shop’s part',
    'I6b',
    refund('done'),
    decided(),
    posting('refund-sent', `${ID}:1`, { 'owed-to-buyers': 100, commission: -100 }),
  ],
  ['one that is done and was not sent', 'I6b', refund('done'), decided()],
  ['one that was sent twice', 'I6b', refund('done'), decided(), sent(), sent(100, 2)],
  ['one that was sent and is not done', 'I6b', refund('requested'), decided(), sent()],
  ['one that failed and was never sent', 'I6b', refund('failed'), decided(), failed()],
  ['one that came back by another amount', 'I6b', refund('failed'), decided(), sent(), failed(99)],
  ['sent and come back of nothing', 'I6b', sent(), failed()],
  [
    'a refund paid by hand that is not posted',
    'I6b',
    sql`INSERT INTO refunds (payment_id, intent_id, n, reason, amount_cents, state, done_at, by_hand_reference)
      SELECT id, provider_id, 1, 'order', 100, 'done', shop_now(), 'Wire 7' FROM payments`,
  ],
  [
    'a refund posted as paid by hand that nobody paid',
    'I6b',
    posting('refund-by-hand', ID, { 'owed-to-buyers': 100, bank: -100 }),
  ],
  [
    'one that a bank paid and was not posted',
    'I6b',
    share,
    dispute('lost'),
    opened(),
    lost(),
    refund('done'),
    decided(),
    byBank,
  ],
  [
    'one that a bank paid and nobody knows',
    'I6b',
    posting('refund-by-bank', `${ID}:dp_1`, { 'owed-to-buyers': 100, 'refund-costs': -100 }),
  ],
  ['a dispute that nobody opened', 'I6c', opened()],
  ['a dispute that is not posted', 'I6c', share, dispute('open')],
  ['a dispute posted with another amount', 'I6c', share, dispute('open'), opened(99)],
  ['one that was won and is open', 'I6c', share, dispute('open'), opened(), won()],
  ['one that is won and was not posted', 'I6c', share, dispute('won'), opened()],
  ['one that is lost and was posted as won', 'I6c', share, dispute('lost'), opened(), won()],
  [
    'one that was lost by less',
    'I6c',
    share,
    dispute('lost'),
    opened(),
    posting('dispute-lost', OF_DISPUTE, { 'dispute-reserve': 100, provider: -99, commission: -1 }),
  ],
  [
    'a fee for a dispute that is not posted',
    'I6c',
    share,
    dispute('open'),
    opened(),
    sql`UPDATE disputes SET fee_cents = 1500`,
  ],
  [
    'a fee for no dispute',
    'I6c',
    posting('dispute-fee', 'dp_1:0:1500', { 'refund-costs': 1_500, 'provider-fees': -1_500 }),
  ],
  ['a payout refused of nothing', 'I6d', posting('payout-refused', ID, { commission: 100, seller: -100 })],
  ['a payout sent of nothing', 'I6d', posting('payout-sent', ID, { commission: 100, provider: -100 })],
  ['a payout taken back of nothing', 'I6d', posting('payout-reversed', ID, { commission: 100, seller: -100 })],
  ['a payout returned of nothing', 'I6d', posting('payout-returned', ID, { commission: 100, seller: -100 })],
  ['a correction of nothing', 'I6d', due, posting('adjustment', ID, { commission: 100, seller: -100 })],
  ['owed to buyers for nothing', 'I25', posting('adjustment', ID, { commission: 100, 'owed-to-buyers': -100 })],
  ['a refund that is not owed', 'I25', refund('requested')],
  ['set aside for nothing', 'I26', posting('adjustment', ID, { commission: 100, 'dispute-reserve': -100 })],
  ['a dispute for which nothing is set aside', 'I26', share, dispute('open')],
  ['an order that is late', 'I21', late(20), beats],
])('%s breaks %s', async (_says, pledge, ...statements) => {
  expect(await brokenBy(...statements)).toContain(pledge);
});
