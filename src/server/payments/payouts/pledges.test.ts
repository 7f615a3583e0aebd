import { sql, type RawBuilder } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countBroken, PLEDGES } from '#server/payments/reconciliation/invariants.queries.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aSale } from '#test/deal.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp();
  await aSale(t);
});
afterAll(() => t.close());

/** There is one order, and its seller. */
const ORDER = sql`(SELECT id FROM orders)`;
const SELLER = sql`(SELECT seller_id FROM orders)`;

class Undone extends Error {}

/** The pledges that are broken once these were written, which nobody ever sees. */
const brokenBy = async (...statements: readonly RawBuilder<unknown>[]): Promise<string[]> => {
  const broken: string[] = [];
  const undone = t.db.transaction().execute(async (trx) => {
    for (const statement of statements) await statement.execute(trx);
    for (const pledge of PLEDGES) if ((await countBroken(trx, pledge)) > 0) broken.push(pledge.id);
    throw new Undone();
  });
  await expect(undone).rejects.toThrow(Undone);
  return broken;
};

const posting = (kind: string, reference: string, entries: Readonly<Record<string, number>>) => sql`
  WITH posted AS (INSERT INTO ledger_transactions (kind, reference, order_id, seller_id)
    VALUES (${kind}, ${reference}, ${ORDER}, ${SELLER}) RETURNING id)
  INSERT INTO ledger_entries (transaction_id, account, seller_id, amount_cents)
  SELECT posted.id, e.account, CASE WHEN e.account IN ('seller', 'seller-pending', 'in-transit') THEN ${SELLER} END, e.cents
  FROM posted, (VALUES ${sql.join(Object.entries(entries).map(([account, cents]) => sql`(${account}, ${cents}::integer)`))}) AS e (account, cents)`;

const ID = '7b0c6b3e-0000-4000-8000-00000000000';
const row = (n: number, state: string, providerId: string | null = null) => sql`
  INSERT INTO payouts (id, seller_id, order_id, n, way, amount_cents, account_id, state, provider_id)
  VALUES (${ID + n}, ${SELLER}, ${ORDER}, ${n}, 'connect', 100, 'acct_1', ${state}, ${providerId})`;
const due = posting('release', 'of a test', { 'seller-pending': 500, seller: -500 });
const asked = (n: number) => posting('payout', ID + n, { seller: 100, 'in-transit': -100 });
const sent = (n: number) => posting('payout-sent', ID + n, { 'in-transit': 100, provider: -100 });

test('a payout with all that belongs to it breaks nothing', async () => {
  expect(await brokenBy()).toEqual([]);
  expect(await brokenBy(due, row(1, 'asked'), asked(1))).toEqual([]);
  expect(await brokenBy(due, row(1, 'sent', 'tr_1'), asked(1), sent(1))).toEqual([]);
});

test.each<[says: string, pledge: string, ...statements: RawBuilder<unknown>[]]>([
  ['more paid than due', 'I17', row(1, 'asked'), asked(1)],
  ['paid first and due afterwards', 'I17', row(1, 'asked'), asked(1), due],
  ['a payout asked for without its posting', 'I18', due, row(1, 'asked')],
  ['a payout asked for without its posting', 'I6', due, row(1, 'asked')],
  ['a posting without its payout', 'I18', due, asked(1)],
  ['a posting without its payout', 'I6', due, asked(1)],
  ['one that was refused and is in transit', 'I18', due, row(1, 'refused'), asked(1)],
  ['one that left and is not posted', 'I4', due, row(1, 'sent', 'tr_1'), asked(1)],
  [
    'one that was taken back and is not posted',
    'I6',
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

test('the database refuses by itself two that are asked for, and two that are one', async () => {
  const write = (...rows: readonly RawBuilder<unknown>[]) =>
    t.db.transaction().execute(async (trx) => {
      for (const each of rows) await each.execute(trx);
    });
  await expect(write(row(1, 'asked'), row(2, 'asked'))).rejects.toThrow('payouts_one_asked');
  await expect(write(row(1, 'sent', 'tr_1'), row(2, 'sent', 'tr_1'))).rejects.toThrow('payouts_provider_id_key');
});
