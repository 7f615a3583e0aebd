import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { enterBankDetails, markPaid, readBankDetails } from '#contract/money/by-hand.ts';
import { linkPayoutAccount, readPayoutAccount } from '#contract/money/payouts.ts';
import { deleteAccount } from '#contract/users/account.ts';
import { finishDepartures } from '#server/privacy/departure.service.ts';
import { payoutAccountToExport } from '#server/payments/payment-export.service.ts';
import { lookAtSellers } from '#server/payments/payouts/due.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { ACCOUNT, anAccount, anIban, byHandSteps, openByHand } from '#test/money/by-hand.ts';
import { advanceClock } from '#test/clock.ts';
import { failing } from '#test/deal.ts';
import { aSeller, type TestUser } from '#test/make.ts';

let t: TestApp;
let admins: [TestUser, TestUser];
let seller: TestUser;

beforeAll(async () => {
  ({ t, admins } = await openByHand());
});
beforeEach(async () => {
  seller = await aSeller(t);
});
afterAll(() => t.close());

const { due, enter, hold, make, read, file, shopDay } = byHandSteps(
  () => t,
  () => admins,
);
const details = async (as = seller) => (await t.call(readBankDetails, {}, { as })).body;
const mails = async (start: string) =>
  (await t.mailTo(seller.email)).map(({ subject }) => subject).filter((subject) => subject.startsWith(start));

describe('bank details', () => {
  test('are taken with the password, shown by their last digits, and told by mail; payouts pause for 72 hours', async () => {
    expect(await details()).toEqual({ details: null, pausedUntil: null, locked: null });
    const answer = await enter(seller);
    expect(answer).toMatchObject({
      status: 200,
      body: { details: { kind: 'us', holder: 'Ada Lovelace', country: 'US', accountType: 'checking', shown: '…6789' } },
    });
    expect(JSON.stringify(answer.body)).not.toContain(ACCOUNT);
    expect(await details()).toEqual(answer.body);
    const { pausedUntil, details: given } = answer.body;
    expect(Date.parse(pausedUntil ?? '') - Date.parse(given?.enteredAt ?? '')).toBe(72 * 3_600_000);
    expect(await mails('Your bank details were')).toEqual(['Your bank details were entered']);
    expect(await enter(seller, anIban())).toMatchObject({
      body: { details: { kind: 'iban', accountType: null, shown: '…3000' } },
    });
    expect(await mails('Your bank details were changed')).toHaveLength(1);
  });

  test('that are the same change nothing', async () => {
    const first = await enter(seller);
    await advanceClock(t, 100);
    const again = await enter(seller, anAccount({ routing: '0210 0002 1', holder: ' Ada  Lovelace ' }));
    expect(again.body).toEqual({ ...first.body, pausedUntil: null });
    expect(await mails('Your bank details were')).toHaveLength(1);
  });

  test.each([
    ['wrong', { password: 'Not#Mine1' }, 'This is not your password'],
    ['missing', { password: undefined }, 'Give your password'],
  ])('are refused where the password is %s', async (_what, more, says) => {
    expect(await enter(seller, anAccount(more))).toMatchObject({
      status: 400,
      body: { details: null, error: { fields: { password: says } } },
    });
    expect((await details()).details).toBeNull();
  });

  test('cannot be tried with ever more passwords', async () => {
    const tried = [];
    for (let n = 0; n < 11; n += 1) tried.push((await enter(seller, anAccount({ password: `Wrong#${n}` }))).status);
    expect(tried.at(-1)).toBe(429);
    expect((await enter(seller)).status).toBe(429);
  });

  test('of somebody without a password need a sign-in of the last 15 minutes', async () => {
    await t.db.updateTable('users').set({ password_hash: null }).where('id', '=', seller.id).execute();
    const signedIn = (at: string) =>
      sql`UPDATE sessions SET signed_in_at = now() - ${at}::interval WHERE user_id = ${seller.id}`.execute(t.db);
    await signedIn('16 minutes');
    expect(await enter(seller, anAccount({ password: undefined }))).toMatchObject({
      status: 403,
      body: { error: { code: 'fresh_sign_in_needed' } },
    });
    await signedIn('1 minute');
    expect(await enter(seller, anAccount({ password: undefined }))).toMatchObject({ status: 200 });
  });

  test('that are wrong say where, whatever the password', async () => {
    expect(await enter(seller, anAccount({ routing: '000000000', account: '1', country: 'ZZ' }))).toMatchObject({
      status: 400,
      body: {
        error: { fields: { routing: expect.any(String), account: expect.any(String), country: expect.any(String) } },
      },
    });
  });

  test('are nobody else’s to see or to change', async () => {
    await enter(seller);
    const other = await aSeller(t);
    expect(await details(other)).toEqual({ details: null, pausedUntil: null, locked: null });
    await enter(other, anIban());
    expect(await details()).toMatchObject({ details: { shown: '…6789' } });
  });

  test('are not asked for where the shop pays by Connect, and Connect is not where it pays by hand', async () => {
    const other = await testApp({ beside: t });
    expect(await other.call(readBankDetails, {}, { as: seller })).toMatchObject({ status: 404 });
    expect(await other.call(enterBankDetails, { body: anAccount() }, { as: seller })).toMatchObject({
      status: 404,
      body: { details: null },
    });
    await other.close();
    const off = await testApp({ beside: t, env: { PAYOUTS: 'off' } });
    expect((await off.call(readPayoutAccount, {}, { as: seller })).body).toMatchObject({ way: 'none', status: 'none' });
    await off.close();
    expect(await t.call(linkPayoutAccount, { body: {} }, { as: seller })).toMatchObject({
      status: 409,
      body: { error: { code: 'payouts_refused' } },
    });
  });
});

describe('a seller without details', () => {
  const look = (way: 'manual' | 'off' = 'manual') => lookAtSellers(t.db, failing, way);

  test('is told on days 0, 3 and 10, in the words of a shop that pays by hand, and no payout is asked of the provider', async () => {
    await due(seller, 2_000);
    for (const hours of [0, 80, 24, 170]) {
      if (hours > 0) await advanceClock(t, hours);
      await look();
    }
    expect(await mails('Money is')).toEqual([
      'Money is still waiting for you: $20.00',
      'Money is still waiting for you: $20.00',
      'Money is waiting for you: $20.00',
    ]);
    const [mail] = (await t.mailTo(seller.email)).filter(({ subject }) => subject.startsWith('Money is'));
    expect(mail?.text).toContain('the shop needs your bank details');
    await enter(seller);
    await look();
    const waiting = await t.db
      .selectFrom('payout_accounts')
      .select('waiting_since')
      .where('seller_id', '=', seller.id)
      .executeTakeFirst();
    expect(waiting).toEqual({ waiting_since: null });
    expect(await t.db.selectFrom('payouts').select('id').where('seller_id', '=', seller.id).execute()).toEqual([]);
  });

  test('and with an account at the provider from before is not paid there any more', async () => {
    await due(seller, 2_000);
    await sql`UPDATE payout_accounts SET account_id = ${`acct_${seller.id}`}, status = 'active', ready_at = shop_now()
      WHERE seller_id = ${seller.id}`.execute(t.db);
    await look();
    expect(await t.db.selectFrom('payouts').select('id').where('seller_id', '=', seller.id).execute()).toEqual([]);
    expect(await mails('Money is waiting')).toHaveLength(1);
  });

  test('is told nothing where nothing is paid out', async () => {
    await due(seller, 2_000);
    await look('off');
    expect(await mails('Money is')).toEqual([]);
  });
});

test('whoever has money on its way waits with leaving; then all is forgotten, copies in batches after 180 days', async () => {
  await due(seller, 2_000);
  await enter(seller);
  expect(JSON.stringify(await payoutAccountToExport(t.db, seller.id))).toContain('"account":"…6789"');
  await hold();
  const { body: batch } = await make([seller]);
  await file(batch.id);
  const leave = () => t.call(deleteAccount, { query: { confirm: 'DELETE' } }, { as: seller });
  expect(await leave()).toMatchObject({ status: 409, body: { error: { code: 'still_open' } } });
  const [payout] = (await read(batch.id)).payouts;
  const body = { reference: 'W-1', on: await shopDay() };

  expect(await t.call(markPaid, { params: { id: payout?.id ?? '' }, body }, { as: admins[0] })).toMatchObject({
    status: 200,
  });
  expect(await leave()).toMatchObject({ status: 200 });
  const kept = async () => {
    const own = await t.db
      .selectFrom('payout_details')
      .select('seller_id')
      .where('seller_id', '=', seller.id)
      .execute();
    const copies = await t.db.selectFrom('hand_payouts').select('sealed').where('batch_id', '=', batch.id).execute();
    return [own.length, copies.map(({ sealed }) => sealed !== null)];
  };
  expect(await kept()).toEqual([0, [true]]);
  expect((await file(batch.id)).statusCode).toBe(200);
  await advanceClock(t, 181 * 24);
  await finishDepartures(t.db, 180, failing);
  expect(await kept()).toEqual([0, [false]]);
  expect((await file(batch.id)).json()).toMatchObject({ error: { code: 'payout_moved' } });
  expect((await read(batch.id)).payouts).toMatchObject([{ holder: '(forgotten)', shown: '…6789' }]);
});
