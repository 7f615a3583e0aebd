// Case 14: what went to a seller's bank is called paid, and comes back days later.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBooking } from '#contract/bookings/bookings.ts';
import { linkPayoutAccount, readPayoutAccount } from '#contract/money/payouts.ts';
import { moveOrder } from '#contract/orders/orders.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { expectInvariants } from '#test/money/expect-invariants.ts';
import { aSale, atProvider, failing } from '#test/deal.ts';
import { aBuyer, aSeller, type TestUser } from '#test/make.ts';
import { lookAtSellers } from './due.service.ts';
import { refreshAccount } from './payee.service.ts';
import { sendPayouts } from './transfer.service.ts';

const DAY_SECONDS = 86_400;

let t: TestApp;
let seller: TestUser;
let buyer: TestUser;

beforeAll(async () => {
  t = await testApp();
  [seller, buyer] = await Promise.all([aSeller(t), aBuyer(t)]);
});
afterAll(async () => {
  await expectInvariants(t.db);
  await t.close();
});

/** A sale whose order is closed at once: its buyer complained, and took it back. */
const released = async (): Promise<void> => {
  const { bookingId } = await aSale(t, { buyer, seller });
  const id = (await t.call(readBooking, { params: { id: bookingId } }, { as: buyer })).body.orderId ?? '';
  const move = async (body: { move: string } & Record<string, string>, as: TestUser) =>
    expect(await t.call(moveOrder, { params: { id }, body }, { as })).toMatchObject({ status: 200 });
  await move({ move: 'make-ready', place: 'Here', times: 'Now or later' }, seller);
  await move({ move: 'hand-over' }, buyer);
  await move({ move: 'report-problem', words: 'A page is missing' }, buyer);
  await move({ move: 'keep' }, buyer);
};

test('a payout that failed on its fourth day posts nothing, is told to its seller, and the next one arrives', async () => {
  await t.call(linkPayoutAccount, { body: { country: 'US' } }, { as: seller });
  const row = await t.db
    .selectFrom('payout_accounts')
    .select('account_id')
    .where('seller_id', '=', seller.id)
    .executeTakeFirstOrThrow();
  const account = row.account_id ?? '';
  await atProvider(t, `/accounts/${account}/state`, { state: 'active' });
  await refreshAccount(t.payments, seller.id);
  await released();
  await lookAtSellers(t.db, failing);
  expect(await sendPayouts(t.payments, failing)).toBe(1);

  const days = (count: number) => atProvider(t, '/clock', { aheadSeconds: count * DAY_SECONDS });
  const shown = async () => {
    await refreshAccount(t.payments, seller.id);
    const { body } = await t.call(readPayoutAccount, {}, { as: seller });
    return body.bankPayouts;
  };
  const posted = async () => {
    const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM ledger_transactions`.execute(t.db);
    return rows[0]?.count;
  };
  const told = async () =>
    (await t.mailTo(seller.email)).filter(({ subject }) => subject.startsWith('Your bank sent a payout back'));
  const before = await posted();
  await days(8);
  expect(await shown()).toMatchObject([{ amount: 6.98, says: 'It is on its way to your bank.' }]);
  await days(12);
  const [paid] = await shown();
  expect(paid).toMatchObject({ status: 'paid', says: expect.stringContaining('should be there') });
  await days(16);
  await atProvider(t, `/payouts/${paid?._id}/fail`, { code: 'account_closed' });
  for (let times = 0; times < 2; times += 1) {
    expect(await shown()).toMatchObject([{ status: 'failed', says: expect.stringContaining('closed') }]);
  }
  const mails = await told();
  expect(mails).toHaveLength(1);
  expect(mails[0]?.text).toContain('The bank account has been closed.');
  // The money is in their account there: it is none of the shop's, and not due a second time.
  expect(await posted()).toBe(before);
  await lookAtSellers(t.db, failing);
  expect(await sendPayouts(t.payments, failing)).toBe(0);

  await atProvider(t, `/accounts/${account}/bank`, { closed: false });
  await days(30);
  await days(36);
  expect((await shown()).map(({ amount, status }) => [amount, status]).toSorted()).toEqual([
    [6.98, 'failed'],
    [6.98, 'paid'],
  ]);
  expect([await posted(), (await told()).length]).toEqual([before, 1]);
});
