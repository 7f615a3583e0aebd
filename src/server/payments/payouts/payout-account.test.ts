import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { linkPayoutAccount, listPayouts, openPayoutAccount, readPayoutAccount } from '#contract/money/payouts.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { advanceClock } from '#test/clock.ts';
import { connectDouble } from '#test/money/connect-double.ts';
import { deliver, failing } from '#test/deal.ts';
import { aBuyer, aSeller, type TestUser } from '#test/make.ts';
import { lookAtSellers } from './due.service.ts';
import { refreshAccounts } from './payee.service.ts';
import { sendPayouts } from './transfer.service.ts';

const at = connectDouble();
let t: TestApp;
let seller: TestUser;

beforeAll(async () => {
  t = await testApp({ connect: at.connect });
});
beforeEach(async () => {
  seller = await aSeller(t);
  at.state.mishaps = [];
});
afterAll(() => t.close());

const read = async () => (await t.call(readPayoutAccount, {}, { as: seller })).body;
const link = (body: { country?: string } = {}) => t.call(linkPayoutAccount, { body }, { as: seller });
const login = () => t.call(openPayoutAccount, {}, { as: seller });
const idOf = async (): Promise<string> => {
  const row = await t.db
    .selectFrom('payout_accounts')
    .select('account_id')
    .where('seller_id', '=', seller.id)
    .executeTakeFirst();
  return row?.account_id ?? '';
};
/** The next look asks the provider again. */
const forgetAsking = () =>
  t.db.updateTable('payout_accounts').set({ checked_at: null }).where('seller_id', '=', seller.id).execute();

describe('a seller', () => {
  test('is led to the provider, once made stays made, and reads what is missing until nothing is', async () => {
    expect(await read()).toMatchObject({ status: 'none', country: null, requirements: [], due: 0, bankPayouts: [] });
    expect(await login()).toMatchObject({ status: 404 });
    const first = await link();
    expect(first).toMatchObject({ status: 200, body: { url: expect.stringContaining('/setup/acct_') } });
    expect((await link({ country: 'CA' })).body).toEqual(first.body);
    const account = await idOf();
    const requirements = [{ what: 'Your bank account', problem: 'It is closed', dueBy: null, isUsers: true }];
    at.turn(account, { requirements });
    expect(await read()).toMatchObject({
      status: 'pending',
      country: 'US',
      says: 'The payment service needs more from you before it can send your money.',
      requirements: [{ what: 'Your bank account', problem: 'It is closed', dueBy: null, isYours: true }],
    });
    at.turn(account, { status: 'active', requirements: [] });
    expect((await read()).status).toBe('pending');
    await forgetAsking();
    expect(await read()).toMatchObject({ status: 'active', requirements: [] });
    expect(await login()).toMatchObject({ status: 200, body: { url: `https://connect.example/express/${account}` } });
  });

  test('presses twice at once, or again after a lost answer, and has one account', async () => {
    at.state.mishaps = ['fails after'];
    expect(await link()).toMatchObject({ status: 502 });
    const answers = await Promise.all([link(), link()]);
    expect(new Set(answers.map(({ body }) => body.url)).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 200 });
  });

  test('whom the provider refuses reads its words, and may choose another country', async () => {
    expect(await link({ country: 'zz' })).toMatchObject({
      status: 400,
      body: { error: { fields: { country: 'Choose a country' } } },
    });
    expect(await link({ country: 'KP' })).toMatchObject({
      status: 409,
      body: { url: '', error: { code: 'payouts_refused', message: expect.stringContaining('KP is not supported') } },
    });
    expect(await link({ country: 'CA' })).toMatchObject({ status: 200 });
    expect(await read()).toMatchObject({ country: 'CA' });
  });

  test('sees their own payouts only, and nobody else does', async () => {
    const buyer = await aBuyer(t);
    expect(await t.call(listPayouts, { query: {} }, { as: seller })).toMatchObject({ status: 200, body: [] });
    for (const spec of [listPayouts, readPayoutAccount, linkPayoutAccount, openPayoutAccount]) {
      expect((await t.call(spec, { query: {} }, { as: buyer })).status).toBe(403);
      expect((await t.call(spec, { query: {} })).status).toBe(401);
    }
    expect((await t.call(listPayouts, { query: { cursor: 'bm9uc2Vuc2U' } }, { as: seller })).status).toBe(400);
  });
});

describe('an event of an account', () => {
  test('of ours has it asked about at once; of another it is let go', async () => {
    await link();
    const account = await idOf();
    await read();
    at.turn(account, { status: 'active' });
    expect((await deliver(t, 'account.updated', { id: account, object: 'account' }, 'evt_account1')).statusCode).toBe(
      200,
    );
    expect(
      (await deliver(t, 'account.updated', { id: 'acct_other', object: 'account' }, 'evt_account2')).statusCode,
    ).toBe(200);
    const outcomes = await t.db
      .selectFrom('provider_events')
      .select('outcome')
      .where('id', 'in', ['evt_account1', 'evt_account2'])
      .orderBy('id')
      .execute();
    expect(outcomes).toEqual([{ outcome: 'acted' }, { outcome: 'not-ours' }]);
    await refreshAccounts(t.payments, failing);
    expect(await read()).toMatchObject({ status: 'active' });
  });
});

describe('what goes to a bank', () => {
  test('is shown with its state; what comes back is told once, with why', async () => {
    await link();
    const account = await idOf();
    at.turn(account, { status: 'active' });
    const payout = { id: `po_${account}`, accountId: account, amountCents: 698, arrivesAt: new Date(), failure: '' };
    at.bankPayouts.push({ ...payout, status: 'paid' });
    await refreshAccounts(t.payments, failing);
    expect((await read()).bankPayouts).toMatchObject([{ amount: 6.98, status: 'paid' }]);
    at.bankPayouts.splice(0, 1, { ...payout, status: 'failed', failure: 'The account is closed' });
    for (let round = 0; round < 2; round += 1) {
      await forgetAsking();
      await refreshAccounts(t.payments, failing);
    }
    expect((await read()).bankPayouts).toMatchObject([
      { status: 'failed', says: expect.stringContaining('The account is closed') },
    ]);
    const mails = await t.mailTo(seller.email);
    expect(mails.filter(({ subject }) => subject.startsWith('Your bank sent a payout back'))).toHaveLength(1);
    expect(mails.at(0)?.text ?? '').toContain('The account is closed');
  });

  test('is no posting: the ledger knows only what left for the account', async () => {
    await advanceClock(t, 1);
    await lookAtSellers(t.db, failing);
    expect(await sendPayouts(t.payments, failing)).toBe(0);
    const { count } = await t.db
      .selectFrom('ledger_transactions')
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(0);
  });
});
