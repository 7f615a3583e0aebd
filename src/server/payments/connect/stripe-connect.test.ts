import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { STANDIN_SECRET_KEY, STANDIN_WEBHOOK_SECRET } from '#standins/stripe/keys.ts';
import { aStandin } from '#standins/stripe/test-standin.ts';
import { openStripe } from '#server/payments/stripe-provider.ts';
import type { TransferFacts, TransferToSend } from './connect.ts';

const DAY_SECONDS = 24 * 60 * 60;
const REFRESH = 'https://books.example/payouts/again';
const RETURN = 'https://books.example/payouts';

/** The provider at a stand-in of its own, and what is done by hand there. */
const aShop = async () => {
  const running = await aStandin();
  const provider = openStripe({
    secretKey: STANDIN_SECRET_KEY,
    webhookSecret: STANDIN_WEBHOOK_SECRET,
    at: { host: '127.0.0.1', port: running.port, protocol: 'http' },
  });
  const { connect } = provider;
  const { control, stripe } = running;
  const aPayee = (country = 'US') =>
    connect.createPayee({ userId: randomUUID(), n: 1, email: 'ada@books.example', name: 'Ada', country });
  const anActivePayee = async () => {
    const { id } = await aPayee();
    await control('POST', `accounts/${id}/state`, { state: 'active' });
    return id;
  };
  /** The charge of a payment, its money not available yet. */
  const aCharge = async (amount = 1_000): Promise<string> => {
    const paid = { amount, currency: 'usd', confirm: true, payment_method: 'pm_card_visa' };
    return String((await stripe.paymentIntents.create(paid)).latest_charge);
  };
  const toSend = (accountId: string, changes: Partial<TransferToSend> = {}): TransferToSend => ({
    payoutId: randomUUID(),
    orderId: randomUUID(),
    key: `tr:${randomUUID()}:1`,
    amountCents: 500,
    accountId,
    chargeId: undefined,
    group: undefined,
    writtenAt: new Date(),
    ...changes,
  });
  const all = async () => {
    const listed: TransferFacts[] = [];
    for await (const transfer of connect.listTransfers(new Date(Date.now() - 60_000))) listed.push(transfer);
    return listed;
  };
  const fail = (on: string) => control('POST', 'faults', { faults: [{ fault: 'fail', next: 1, on }] });
  const days = (count: number) => control('POST', 'clock', { aheadSeconds: count * DAY_SECONDS });
  return { ...running, provider, connect, aPayee, anActivePayee, aCharge, toSend, all, fail, days };
};

const refusal = (code: string, words: string) => ({
  name: 'ProviderRefused',
  code,
  message: expect.stringContaining(words),
});

describe('a payee', () => {
  test('is made once of a key, with what Stripe wants of them, and found', async () => {
    const { connect, stripe } = await aShop();
    const payee = { userId: randomUUID(), n: 1, email: 'ada@books.example', name: 'Ada', country: 'US' };
    const made = await connect.createPayee(payee);
    expect(made).toMatchObject({ userId: payee.userId, status: 'restricted', country: 'US' });
    expect(made.requirements[0]).toEqual({
      what: 'identity.individual.given_name',
      problem: '',
      dueBy: expect.any(Date),
      isUsers: true,
    });
    expect(await connect.createPayee(payee)).toEqual(made);
    expect(await connect.findPayee(made.id)).toEqual(made);
    expect((await connect.createPayee({ ...payee, n: 2 })).id).not.toBe(made.id);
    expect(await stripe.v2.core.accounts.retrieve(made.id)).toMatchObject({ requirements: null, dashboard: 'express' });
    expect(await connect.findPayee('acct_unknown')).toBeUndefined();
  });

  test('of a country without payouts is refused in words', async () => {
    const { aPayee } = await aShop();
    await expect(aPayee('KP')).rejects.toMatchObject(refusal('country_unsupported', "not available in 'kp'"));
  });

  test('is finished by Stripe where the answer was lost', async () => {
    const { aPayee, fail, connect } = await aShop();
    await fail('POST /v2/core/accounts');
    const made = await aPayee();
    expect(await connect.findPayee(made.id)).toEqual(made);
  });

  test.each([
    ['active', 'active', []],
    ['pending', 'pending', [expect.objectContaining({ isUsers: false })]],
    ['refused', 'restricted', [expect.objectContaining({ problem: expect.stringContaining('cannot be read') })]],
    ['restricted', 'restricted', [expect.objectContaining({ what: expect.stringContaining('documents') })]],
    ['closed', 'restricted', []],
  ])('that is %s at Stripe is %s', async (state, status, requirements) => {
    const { aPayee, connect, control } = await aShop();
    const { id } = await aPayee();
    await control('POST', `accounts/${id}/state`, { state });
    expect(await connect.findPayee(id)).toMatchObject({ status, requirements });
  });

  test('has a dashboard once they have told who they are', async () => {
    const { aPayee, connect, control } = await aShop();
    const { id } = await aPayee();
    await expect(connect.loginLink(id)).rejects.toMatchObject(refusal('', 'has not completed onboarding'));
    await control('POST', `accounts/${id}/state`, { state: 'active' });
    const page = await fetch(await connect.loginLink(id));
    expect(await page.text()).toContain('Available: 0.00 USD');
  });

  test('is paid out weekly when the shop asks for it', async () => {
    const { anActivePayee, connect, stripe } = await aShop();
    const id = await anActivePayee();
    await connect.scheduleWeekly(id, 1);
    const settings = await stripe.balanceSettings.retrieve({}, { stripeAccount: id });
    expect(settings.payments.payouts?.schedule).toEqual({ interval: 'weekly', weekly_payout_days: ['friday'] });
    await expect(connect.scheduleWeekly('acct_unknown', 1)).rejects.toMatchObject(
      refusal('account_invalid', 'does not have access'),
    );
  });
});

describe('the link to the onboarding', () => {
  const open = (url: string) => fetch(url, { redirect: 'manual' });
  const choose = async (url: string, outcome: string) => {
    const form = /name="form" value="(\w+)"/.exec(await (await open(url)).text())?.[1] ?? '';
    return fetch(url, { method: 'POST', body: new URLSearchParams({ form, outcome }), redirect: 'manual' });
  };

  test.each([
    ['well', 'active', 0],
    ['half', 'restricted', 2],
    ['refused', 'restricted', 1],
  ])('ends %s, and leads back to the shop', async (outcome, status, open) => {
    const { aPayee, connect } = await aShop();
    const { id } = await aPayee();
    const url = await connect.onboardingLink(id, { refreshUrl: REFRESH, returnUrl: RETURN });
    const answer = await choose(url, outcome);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, RETURN]);
    const payee = await connect.findPayee(id);
    expect([payee?.status, payee?.requirements.length]).toEqual([status, open]);
  });

  test('works once: opened or sent again it asks the shop for the next', async () => {
    const { aPayee, connect } = await aShop();
    const { id } = await aPayee();
    const url = await connect.onboardingLink(id, { refreshUrl: REFRESH, returnUrl: RETURN });
    expect((await choose(url, 'half')).headers.get('location')).toBe(RETURN);
    expect((await open(url)).headers.get('location')).toBe(REFRESH);
    expect((await choose(url, 'well')).headers.get('location')).toBe(REFRESH);
    expect((await connect.findPayee(id))?.status).toBe('restricted');
    expect((await open(`${url}x`)).status).toBe(404);
    const other = await connect.onboardingLink(id, { refreshUrl: REFRESH, returnUrl: RETURN });
    expect((await choose(other, 'well')).headers.get('location')).toBe(RETURN);
  });

  test('is too late after some minutes', async () => {
    const { aPayee, connect } = await aShop();
    const { id } = await aPayee();
    const url = await connect.onboardingLink(id, { refreshUrl: REFRESH, returnUrl: RETURN });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 301_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect((await open(url)).headers.get('location')).toBe(REFRESH);
  });

  test('is refused for an account nobody knows, and for an address that is none', async () => {
    const { aPayee, connect } = await aShop();
    const urls = { refreshUrl: REFRESH, returnUrl: RETURN };
    await expect(connect.onboardingLink('acct_unknown', urls)).rejects.toMatchObject(refusal('not_found', 'No such'));
    const { id } = await aPayee();
    const wrong = connect.onboardingLink(id, { ...urls, returnUrl: 'javascript:alert(1)' });
    await expect(wrong).rejects.toMatchObject(refusal('url_invalid', 'URL'));
  });
});

describe('a transfer', () => {
  test('is made once of a key, names its payout, and waits for the payment it is taken from', async () => {
    const { anActivePayee, aCharge, connect, toSend, all, days } = await aShop();
    const accountId = await anActivePayee();
    const sent = toSend(accountId, { chargeId: await aCharge(), group: 'checkout-1' });
    const before = await connect.balance();
    const made = await connect.transfer(sent);
    expect(made).toMatchObject({ payoutId: sent.payoutId, accountId, amountCents: 500, reversedCents: 0 });
    expect(await connect.transfer(sent)).toEqual(made);
    expect(await connect.findTransfer(sent)).toEqual(made);
    expect(await all()).toEqual([made]);
    expect(await connect.balanceOf(accountId)).toEqual({ availableCents: 0, pendingCents: 500 });
    expect(await connect.balance()).toEqual({ ...before, pendingCents: before.pendingCents - 500 });
    await days(2);
    // available, and on its way to the bank already
    expect((await connect.balanceOf(accountId)).pendingCents).toBe(0);
  });

  test('above what is available waits for nothing: it is refused, and made with the next key', async () => {
    const { anActivePayee, connect, control, toSend, all } = await aShop();
    const sent = toSend(await anActivePayee());
    await control('POST', 'balance', { available: 499 });
    const refused = refusal('balance_insufficient', 'insufficient available funds');
    await expect(connect.transfer(sent)).rejects.toMatchObject(refused);
    await control('POST', 'balance', { available: 500 });
    // Stripe repeats its refusal to the same key
    await expect(connect.transfer(sent)).rejects.toMatchObject(refused);
    const next = await connect.transfer({ ...sent, key: `${sent.key}2` });
    expect(await all()).toEqual([next]);
    expect((await connect.balance()).availableCents).toBe(0);
  });

  test('is refused above its payment, to who may not be paid, and to nobody', async () => {
    const { anActivePayee, aPayee, aCharge, connect, control, toSend, all } = await aShop();
    const id = await anActivePayee();
    const chargeId = await aCharge(800);
    await connect.transfer(toSend(id, { chargeId }));
    const above = connect.transfer(toSend(id, { chargeId, amountCents: 301 }));
    await expect(above).rejects.toMatchObject(refusal('transfer_source_balance_parameters_mismatch', '$3.00'));
    const unready = connect.transfer(toSend((await aPayee()).id));
    const incapable = refusal('insufficient_capabilities_for_transfer', 'capabilities');
    await expect(unready).rejects.toMatchObject(incapable);
    await control('POST', `accounts/${id}/state`, { state: 'restricted' });
    await expect(connect.transfer(toSend(id, { chargeId }))).rejects.toMatchObject(incapable);
    const nobody = connect.transfer(toSend('acct_unknown'));
    await expect(nobody).rejects.toMatchObject(refusal('resource_missing', 'No such destination'));
    expect(await all()).toHaveLength(1);
  });

  test.each([
    ['with its group', 'checkout-2'],
    ['without one', undefined],
  ])('that Stripe made and then called broken is found, %s', async (_, group) => {
    const { anActivePayee, connect, toSend, all, fail } = await aShop();
    const sent = toSend(await anActivePayee(), { group });
    await connect.transfer(toSend(sent.accountId, { group }));
    await fail('POST /v1/transfers');
    const made = await connect.transfer(sent);
    expect(made.payoutId).toBe(sent.payoutId);
    expect(await all()).toHaveLength(2);
  });

  test('that Stripe did not make stays unclear to its key, and is not made twice', async () => {
    const { anActivePayee, connect, toSend, all } = await aShop();
    const sent = toSend(await anActivePayee());
    expect(await connect.findTransfer(sent)).toBeUndefined();
    // the same key with another amount: nothing says what became of the first
    await connect.transfer(sent);
    const other = connect.transfer({ ...sent, payoutId: randomUUID(), amountCents: 501 });
    await expect(other).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(await all()).toHaveLength(1);
  });

  test('is looked for first when its key may be forgotten', async () => {
    const { anActivePayee, connect, control, toSend, all } = await aShop();
    const writtenAt = new Date(Date.now() - 25 * 60 * 60 * 1000);
    const sent = toSend(await anActivePayee(), { writtenAt });
    const made = await connect.transfer(sent);
    expect((await control('DELETE', 'keys')).body.forgotten).toBeGreaterThan(0);
    expect(await connect.transfer(sent)).toEqual(made);
    expect(await all()).toEqual([made]);
  });
});

describe('a reversal', () => {
  test('takes back a part once, and never more than is left', async () => {
    const { anActivePayee, connect, control, toSend, all } = await aShop();
    const { id: transferId } = await connect.transfer(toSend(await anActivePayee()));
    const part = { reversalId: randomUUID(), transferId, key: `rev:${transferId}:1`, amountCents: 200 };
    const made = await connect.reverse(part);
    expect(made).toEqual({ id: made.id, reversalId: part.reversalId, transferId, amountCents: 200 });
    await control('DELETE', 'keys');
    expect(await connect.reverse(part)).toEqual(made);
    const rest = { ...part, reversalId: randomUUID(), key: `rev:${transferId}:2` };
    const above = connect.reverse({ ...rest, amountCents: 301 });
    await expect(above).rejects.toMatchObject(refusal('', 'greater than unreversed amount on transfer ($3.00)'));
    await connect.reverse({ ...rest, key: `rev:${transferId}:3`, amountCents: 300 });
    expect((await connect.listReversals(transferId)).map(({ amountCents }) => amountCents)).toEqual([300, 200]);
    expect(await all()).toMatchObject([{ reversedCents: 500 }]);
  });

  test('is refused above what the seller still has there', async () => {
    const { anActivePayee, connect, control, toSend } = await aShop();
    const accountId = await anActivePayee();
    const { id: transferId } = await connect.transfer(toSend(accountId));
    await control('POST', `accounts/${accountId}/pay-out`);
    const wanted = { reversalId: randomUUID(), transferId, key: `rev:${transferId}:1`, amountCents: 1 };
    await expect(connect.reverse(wanted)).rejects.toMatchObject(refusal('balance_insufficient', 'Insufficient funds'));
  });

  test('that Stripe made and then called broken is found', async () => {
    const { anActivePayee, connect, toSend, fail } = await aShop();
    const { id: transferId } = await connect.transfer(toSend(await anActivePayee()));
    const part = { reversalId: randomUUID(), transferId, key: `rev:${transferId}:1`, amountCents: 200 };
    await fail('POST /v1/transfers/:id/reversals');
    expect((await connect.reverse(part)).reversalId).toBe(part.reversalId);
    expect(await connect.listReversals(transferId)).toHaveLength(1);
  });
});

describe('what goes to the bank', () => {
  test('goes by itself, arrives, and may still come back to the account, never to the shop', async () => {
    const { anActivePayee, connect, control, toSend, days } = await aShop();
    const accountId = await anActivePayee();
    await connect.scheduleWeekly(accountId, 1);
    await connect.transfer(toSend(accountId));
    const before = await connect.balance();
    const listed = () => connect.listBankPayouts(accountId, new Date(0));
    expect(await listed()).toEqual([]);
    await days(8);
    const [going] = await listed();
    expect(going).toMatchObject({ accountId, amountCents: 500, failure: '' });
    await days(11);
    expect(await listed()).toMatchObject([{ status: 'paid' }]);
    await control('POST', `payouts/${going?.id}/fail`);
    expect(await listed()).toMatchObject([{ status: 'failed', failure: 'The bank account has been closed.' }]);
    expect(await connect.balanceOf(accountId)).toEqual({ availableCents: 500, pendingCents: 0 });
    expect(await connect.balance()).toEqual(before);
    // nothing more is sent there until another bank is named
    await days(25);
    expect(await listed()).toHaveLength(1);
    await control('POST', `accounts/${accountId}/bank`, { closed: false });
    await days(32);
    expect((await listed()).map(({ amountCents }) => amountCents)).toEqual([500, 500]);
  });

  test('comes back from an account that its bank closed', async () => {
    const { anActivePayee, connect, control, toSend, days } = await aShop();
    const accountId = await anActivePayee();
    await connect.transfer(toSend(accountId));
    await control('POST', `accounts/${accountId}/bank`, { closed: true });
    await control('POST', `accounts/${accountId}/pay-out`);
    await days(3);
    expect(await connect.listBankPayouts(accountId, new Date(0))).toMatchObject([{ status: 'failed' }]);
  });
});

test('an intent names the charge that a transfer is taken from', async () => {
  const { provider, stripe, aCharge } = await aShop();
  const chargeId = await aCharge();
  const charge = await stripe.charges.retrieve(chargeId);
  expect(await provider.findIntent(String(charge.payment_intent))).toMatchObject({ chargeId });
  const unpaid = await stripe.paymentIntents.create({ amount: 500, currency: 'usd' });
  expect((await provider.findIntent(unpaid.id))?.chargeId).toBeUndefined();
});
