import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkSetup as checkSetupContract } from '#contract/money/setup-check.ts';
import type { Connect } from '#server/payments/connect/connect.ts';
import { ProviderFailed, ProviderRefused } from '#server/payments/provider.ts';
import type { SignedIn } from '#server/platform/viewer.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { anAdmin, aSeller, type TestUser } from '#test/make.ts';
import { checkSetup } from './setup-check.service.ts';

let t: TestApp;
let admin: TestUser;

beforeAll(async () => {
  t = await testApp();
  admin = await anAdmin(t);
});
afterAll(() => t.close());

const check = (as: Partial<TestUser>) => t.call(checkSetupContract, {}, { as });

/** What an admin reads where the provider answers otherwise. */
const checkAt = (connect: Partial<Connect>, way: 'connect' | 'manual' = 'connect') => {
  const { provider, ...deps } = t.payments;
  const viewer = {
    kind: 'signed-in',
    userId: admin.id,
    email: admin.email,
    name: 'Ada',
    sessionId: '',
    isAdmin: true,
    isSeller: false,
    isBuyer: false,
    hasFreshSignIn: true,
    isSuspended: false,
    secondFactor: 'not needed',
    emailProvenAt: null,
  } as const satisfies SignedIn;
  const at = { ...provider, connect: { ...provider.connect, ...connect } };
  const payouts = { ...deps.payouts, way };
  return checkSetup({ ...deps, provider: at, payouts, publicUrl: t.config.publicUrl }, viewer);
};
const states = ({ findings }: Awaited<ReturnType<typeof checkAt>>) => findings.map(({ state }) => state);

test('makes an account once a day that is nobody’s, and says that the shop’s own payouts empty the balance', async () => {
  const { status, body } = await check(admin);
  expect([status, states(body)]).toEqual([200, ['ok', 'ok', 'advice']]);
  expect(body.findings[0]?.says).toMatch(/It made acct_\w+ to try/);
  expect((await check(admin)).body.findings[0]).toEqual(body.findings[0]);
  const accounts = await t.db.selectFrom('payout_accounts').selectAll().execute();
  expect(accounts).toEqual([]);
});

test('shows the provider’s own words for what it will not do', async () => {
  const words = 'Your platform needs approval for accounts to have requested the `transfers` capability.';
  const refused = await checkAt({
    createPayee: async () => {
      throw new ProviderRefused(words);
    },
    ownPayouts: async () => {
      throw new ProviderRefused('Not for you');
    },
  });
  expect(refused.findings).toMatchObject([
    { state: 'refused', words, says: expect.stringContaining('approve') },
    { state: 'refused', words: 'Not for you' },
  ]);
  const closed = await checkAt({
    onboardingLink: async () => {
      throw new ProviderRefused('Fill in your branding');
    },
  });
  expect(closed.findings[1]).toMatchObject({ state: 'refused', words: 'Fill in your branding' });
});

test('is content with manual payouts or a minimum that stays, and says where Stripe is not used', async () => {
  expect(states(await checkAt({ ownPayouts: async () => ({ isManual: true, minimumCents: 0 }) }))).toEqual([
    'ok',
    'ok',
    'ok',
  ]);
  const kept = await checkAt({ ownPayouts: async () => ({ isManual: false, minimumCents: 50_000 }) }, 'manual');
  expect([states(kept), kept.findings[2]?.says]).toEqual([
    ['ok', 'ok', 'ok', 'advice'],
    expect.stringContaining('$500.00'),
  ]);
});

test('is told that the provider does not answer, and is for admins', async () => {
  const failing = checkAt({
    createPayee: async () => {
      throw new ProviderFailed();
    },
  });
  await expect(failing).rejects.toMatchObject({ code: 'provider_unavailable' });
  expect((await check({})).status).toBe(401);
  expect(await check(await aSeller(t))).toMatchObject({ status: 403, body: { findings: [] } });
});
