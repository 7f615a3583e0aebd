import { sql, type RawBuilder } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApp, type TestApp } from '#test/app.ts';
import { aSale } from '#test/deal.ts';
import { brokenOnce, due, ORDER, posting, SELLER } from '#test/money/plants.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp();
  await aSale(t);
});
afterAll(() => t.close());

const brokenBy = (...statements: readonly RawBuilder<unknown>[]) => brokenOnce(t.db, statements);

const ID = '7b0c6b3e-0000-4000-8000-00000000000';
const row = (n: number, state: string, providerId: string | null = null) => sql`
  INSERT INTO payouts (id, seller_id, order_id, n, way, amount_cents, account_id, state, provider_id)
  VALUES (${ID + n}, ${SELLER}, ${ORDER}, ${n}, 'connect', 100, 'acct_1', ${state}, ${providerId})`;
const asked = (n: number) => posting('payout', ID + n, { seller: 100, 'in-transit': -100 });
const sent = (n: number) => posting('payout-sent', ID + n, { 'in-transit': 100, provider: -100 });

const byHand = (n: number, state: string) => sql`
  INSERT INTO payouts (id, seller_id, n, way, amount_cents, state, from_charge)
  VALUES (${ID + n}, ${SELLER}, ${n}, 'manual', 100, ${state}, false)`;
const sentByHand = (n: number) => posting('payout-sent', ID + n, { 'in-transit': 100, bank: -100 });
const returned = (n: number) => posting('payout-returned', ID + n, { bank: 100, seller: -100 });

test('a payout with all that belongs to it breaks nothing', async () => {
  expect(await brokenBy()).toEqual([]);
  expect(await brokenBy(due, row(1, 'asked'), asked(1))).toEqual([]);
  expect(await brokenBy(due, row(1, 'sent', 'tr_1'), asked(1), sent(1))).toEqual([]);
  expect(await brokenBy(due, byHand(1, 'sent'), asked(1), sentByHand(1))).toEqual([]);
  expect(await brokenBy(due, byHand(1, 'returned'), asked(1), sentByHand(1), returned(1))).toEqual([]);
});

test.each<[says: string, pledge: string, ...statements: RawBuilder<unknown>[]]>([
  ['more paid than due', 'I17', row(1, 'asked'), asked(1)],
  ['paid first and due afterwards', 'I17', row(1, 'asked'), asked(1), due],
  ['a payout asked for without its posting', 'I18', due, row(1, 'asked')],
  ['a payout asked for without its posting', 'I6d', due, row(1, 'asked')],
  ['a posting without its payout', 'I18', due, asked(1)],
  ['a posting without its payout', 'I6d', due, asked(1)],
  ['one that was refused and is in transit', 'I18', due, row(1, 'refused'), asked(1)],
  ['one that left and is not posted', 'I4', due, row(1, 'sent', 'tr_1'), asked(1)],
  [
    'one that was taken back and is not posted',
    'I6d',
    due,
    row(1, 'sent', 'tr_1'),
    asked(1),
    sent(1),
    sql`UPDATE payouts SET reversed_cents = 1`,
  ],
  [
    'money out of the bank that nobody was paid',
    'I19',
    due,
    posting('adjustment', 'by hand', { seller: 100, bank: -100 }),
  ],
  ['a payout by hand that left the provider', 'I19', due, byHand(1, 'sent'), asked(1), sent(1)],
  ['a payout by hand that left the provider', 'I6d', due, byHand(1, 'sent'), asked(1), sent(1)],
  ['one that came back and still counts as sent', 'I19', due, byHand(1, 'sent'), asked(1), sentByHand(1), returned(1)],
  ['one that came back and was not posted', 'I19', due, byHand(1, 'returned'), asked(1), sentByHand(1)],
  ['one that came back and was not posted', 'I6d', due, byHand(1, 'returned'), asked(1), sentByHand(1)],
  ['one by hand that is struck off and in transit', 'I18', due, byHand(1, 'refused'), asked(1)],
  ['more paid by hand than due', 'I17', byHand(1, 'asked'), asked(1)],
  ['a correction that nobody asked for', 'I6d', posting('adjustment', ID + 1, { seller: -100, commission: 100 })],
  [
    'paid out while a bank decides',
    'I23',
    due,
    posting('dispute-opened', 'dp_1', { seller: 10, 'dispute-reserve': -10 }),
    row(1, 'asked'),
    asked(1),
  ],
  [
    'two asked for at a time',
    'I24',
    sql`DROP INDEX payouts_one_asked`,
    due,
    row(1, 'asked'),
    asked(1),
    row(2, 'asked'),
    asked(2),
  ],
  [
    'two that are one at the provider',
    'I24',
    sql`ALTER TABLE payouts DROP CONSTRAINT payouts_provider_id_key`,
    due,
    row(1, 'sent', 'tr_1'),
    asked(1),
    sent(1),
    row(2, 'sent', 'tr_1'),
    asked(2),
    sent(2),
  ],
])('%s breaks %s', async (_says, pledge, ...statements) => {
  expect(await brokenBy(...statements)).toContain(pledge);
});

test('a cancelled order whose money goes back keeps I22, unless something of it was paid out', async () => {
  const cancelled = [
    sql`UPDATE orders SET state = 'cancelled', outcome = 'refunded', due_at = NULL, due_move = NULL, closed_at = shop_now()`,
    sql`INSERT INTO refunds (payment_id, intent_id, n, reason, amount_cents)
      SELECT id, provider_id, 1, 'order', amount_cents FROM payments`,
  ];
  expect(await brokenBy(...cancelled)).not.toContain('I22');
  expect(await brokenBy(...cancelled, row(1, 'refused'))).not.toContain('I22');
  expect(await brokenBy(...cancelled, row(1, 'sent', 'tr_1'))).toContain('I22');
});

test('the database refuses by itself two that are asked for, and two that are one', async () => {
  const write = (...rows: readonly RawBuilder<unknown>[]) =>
    t.db.transaction().execute(async (trx) => {
      for (const each of rows) await each.execute(trx);
    });
  await expect(write(row(1, 'asked'), row(2, 'asked'))).rejects.toThrow('payouts_one_asked');
  await expect(write(row(1, 'sent', 'tr_1'), row(2, 'sent', 'tr_1'))).rejects.toThrow('payouts_provider_id_key');
});
