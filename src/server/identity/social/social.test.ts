import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSession, type SessionUser } from '#contract/users/identity.ts';
import { listProviders, PROVIDERS } from '#contract/users/social.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aUser } from '#test/make.ts';
import { aBrowser, endingOf, typed, type TestBrowser } from '#test/sign-in/way.ts';

let t: TestApp;
let base: string;
beforeAll(async () => {
  t = await testApp();
  base = await t.listen();
});
afterAll(() => t.close());

const anAddress = (): string => `u${randomUUID().replaceAll('-', '')}@example.com`;

/** Who the shop takes the browser for. */
const userIn = async (browser: TestBrowser): Promise<SessionUser | null> =>
  (await t.call(readSession, {}, { as: { cookie: browser.cookie() } })).body.user;

describe.each(PROVIDERS)('with %s', (provider) => {
  test('somebody new gets an account with name, photo and a proven address, and the next time the same one', async () => {
    const email = anAddress();
    const photo = 'https://pictures.example/ada.png';
    const first = aBrowser(t, base);
    const choice = typed(email, { name: 'Ada Marlowe', picture: photo });
    const ending = await first.signIn(provider, choice, { page: 'register', from: '/category/fantasy' });
    expect(ending.outcome).toBe('signed-up');
    expect(Object.fromEntries(ending.url.searchParams)).toEqual({
      provider,
      outcome: 'signed-up',
      page: 'register',
      from: '/category/fantasy',
    });
    const user = await userIn(first);
    expect(user).toMatchObject({ email, displayName: 'Ada Marlowe', photoURL: '', roles: [] });
    const row = await t.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirstOrThrow();
    // Nobody is led to the service for it: it is shown once the shop has fetched it.
    expect(row).toMatchObject({ password_hash: null, email_proven_at: expect.any(Date), photo_url: photo });

    const second = aBrowser(t, base);
    expect((await second.signIn(provider, choice)).outcome).toBe('signed-in');
    expect((await userIn(second))?.uid).toBe(user?.uid);
  });

  test('a person is known by their number there, not by the address, whatever its case', async () => {
    const email = anAddress();
    const browser = aBrowser(t, base);
    await browser.signIn(provider, typed(email));
    const user = await userIn(browser);
    await t.db
      .updateTable('users')
      .set({ email: anAddress() })
      .where('id', '=', user?.uid ?? '')
      .execute();
    expect((await aBrowser(t, base).signIn(provider, typed(email.toUpperCase()))).outcome).toBe('signed-in');
  });

  test.each([
    ['cancelled', { do: 'cancel' }, 'denied'],
    ['refused there', { do: 'refuse' }, 'denied'],
    ['an address that is not verified', typed('noor@example.com', { verified: 'no' }), 'unverified'],
    ['a service that is down', { do: 'down' }, 'down'],
  ])('%s signs nobody in and says so', async (_what, choice, outcome) => {
    const browser = aBrowser(t, base);
    const ending = await browser.signIn(provider, choice, { page: 'login', popup: '1', from: '/categories' });
    expect(ending.outcome).toBe(outcome);
    expect(Object.fromEntries(ending.url.searchParams)).toMatchObject({
      page: 'login',
      popup: '1',
      from: '/categories',
    });
    expect(await userIn(browser)).toBeNull();
  });

  test('each sign-in starts a fresh session and ends the one the browser had', async () => {
    const choice = typed(anAddress());
    const browser = aBrowser(t, base);
    await browser.signIn(provider, choice);
    const [before, cookie] = [browser.cookieNamed('dogear'), browser.cookie()];
    await browser.signIn(provider, choice);
    expect(browser.cookieNamed('dogear')).not.toBe(before);
    expect((await t.call(readSession, {}, { as: { cookie } })).body.user).toBeNull();
    expect(await userIn(browser)).not.toBeNull();
  });

  test('two windows of one browser do not lock each other out', async () => {
    const browser = aBrowser(t, base);
    const [one, other] = [await browser.start(provider), await browser.start(provider)];
    const choice = typed(anAddress());
    expect((await browser.finish(await browser.choose(one, choice))).outcome).toBe('signed-up');
    expect((await browser.finish(await browser.choose(other, choice))).outcome).toBe('signed-in');
  });

  test('two first sign-ins at once make one account', async () => {
    const choice = typed(anAddress());
    const browsers = [aBrowser(t, base), aBrowser(t, base), aBrowser(t, base)];
    const callbacks = await Promise.all(
      browsers.map(async (browser) => browser.choose(await browser.start(provider), choice)),
    );
    const endings = await Promise.all(browsers.map((browser, n) => browser.finish(callbacks[n] as URL)));
    expect(endings.map(({ outcome }) => outcome).sort()).toEqual(['signed-in', 'signed-in', 'signed-up']);
    const users = await Promise.all(browsers.map(userIn));
    expect(new Set(users.map((user) => user?.uid)).size).toBe(1);
  });

  test('a deleted account does not come back, by its number or by its address', async () => {
    const email = anAddress();
    const choice = typed(email);
    const browser = aBrowser(t, base);
    await browser.signIn(provider, choice);
    const gone = { deleted_at: new Date() };
    await t.db.updateTable('users').set(gone).where('email', '=', email).execute();
    expect((await aBrowser(t, base).signIn(provider, choice)).outcome).toBe('deleted');
    const other = await aUser(t, { email: anAddress() });
    await t.db.updateTable('users').set(gone).where('id', '=', other.id).execute();
    expect((await aBrowser(t, base).signIn(provider, typed(other.email))).outcome).toBe('deleted');
  });
});

test('people with a proven address find their account by any service that vouches for it', async () => {
  const user = await aUser(t);
  const browser = aBrowser(t, base);
  expect((await browser.signIn('google', typed(user.email.toUpperCase()))).outcome).toBe('signed-in');
  expect((await userIn(browser))?.uid).toBe(user.id);
  const other = aBrowser(t, base);
  expect((await other.signIn('github', typed(user.email))).outcome).toBe('signed-in');
  expect((await userIn(other))?.uid).toBe(user.id);
});

test('a service that is slow is not waited for', async () => {
  const shop = await testApp({ social: { timeoutSeconds: 1, slowMs: 600_000 } });
  try {
    const address = await shop.listen();
    const endings = await Promise.all(
      PROVIDERS.map((provider) => aBrowser(shop, address).signIn(provider, { do: 'slow' })),
    );
    expect(endings.map(({ outcome }) => outcome)).toEqual(['slow', 'slow']);
  } finally {
    await shop.close();
  }
});

test('the pages are told which ways are open', async () => {
  const { body, headers } = await t.call(listProviders, {});
  expect(body).toEqual([
    { provider: 'google', open: true, standin: true },
    { provider: 'github', open: true, standin: true },
  ]);
  expect(headers['cache-control']).toContain('public');
});

test('the stand-in says that it is one, under a policy of its own', async () => {
  const browser = aBrowser(t, base);
  for (const provider of PROVIDERS) {
    const answer = await browser.get(await browser.start(provider));
    expect(await answer.text()).toMatch(/stand-in, not (Google|Github)/);
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
  }
  expect(await (await browser.get('/standins/sign-in/')).text()).toContain('stand-in for Google and Github');
});

test('the stand-in sends nobody to an address that is not a shop on this machine', async () => {
  const browser = aBrowser(t, base);
  const page = await browser.start('google');
  for (const target of ['https://evil.example/callback', 'javascript:alert(1)', 'http://localhost:1/elsewhere', '']) {
    page.searchParams.set('redirect_uri', target);
    const answer = await browser.get(page);
    expect([target, answer.status]).toEqual([target, 400]);
  }
});

describe('in production without registration', () => {
  test('the ways are closed, there is no stand-in, and a start says so', async () => {
    const shop = await testApp({
      env: {
        DOGEAR_MODE: 'production',
        PUBLIC_URL: 'https://shop.example',
        DATABASE_URL: 'postgres://unused',
        STRIPE_SECRET_KEY: 'sk_test_1',
        STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
        STRIPE_WEBHOOK_SECRET: 'whsec_1',
        SMTP_URL: 'smtp://127.0.0.1:9',
      },
    });
    try {
      const ways = (await shop.call(listProviders, {})).body;
      expect(ways.map(({ open, standin }) => [open, standin])).toEqual([
        [false, false],
        [false, false],
      ]);
      const started = await shop.send('GET', '/api/auth/google?page=register');
      expect(endingOf(new URL(String(started.headers.location)))).toMatchObject({ outcome: 'closed' });
      expect((await shop.send('GET', '/standins/sign-in/google/authorize')).statusCode).toBe(404);
    } finally {
      await shop.close();
    }
  });
});

test('a sign-in that fails is in the log, with the service and the reason, and without an address', async () => {
  const lines: string[] = [];
  const shop = await testApp({ env: { LOG_LEVEL: 'warn' }, writeLog: (line) => void lines.push(line) });
  try {
    const browser = aBrowser(shop, await shop.listen());
    const email = anAddress();
    expect((await browser.signIn('google', { do: 'cancel' })).outcome).toBe('denied');
    expect((await browser.signIn('github', typed(email, { verified: '' }))).outcome).toBe('unverified');
    const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const failures = told.filter(({ msg }) => msg === 'a social sign-in failed');
    expect(failures.map(({ provider, failure }) => [provider, failure])).toEqual([
      ['google', 'denied'],
      ['github', 'unverified'],
    ]);
    expect(lines.join()).not.toContain(email);
  } finally {
    await shop.close();
  }
});
