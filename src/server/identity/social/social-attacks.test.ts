import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueAccessToken, readSession, signIn, signUp } from '#contract/users/identity.ts';
import { forgotPassword, resetPassword } from '#contract/users/mail-links.ts';
import { PROVIDERS, startLink } from '#contract/users/social.ts';
import { answerResetRequests } from '#server/identity/passwords/reset.service.ts';
import { sweepIdentity } from '#server/identity/sessions/sessions.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { PASSWORD } from '#test/make.ts';
import { aBrowser, typed, type TestBrowser } from '#test/sign-in/way.ts';
import { returnPath } from '#web/shell/data/return-path.ts';

// Each attack was seen to succeed against a hole planted for it; the hole is written beside it.

let t: TestApp;
let base: string;
beforeAll(async () => {
  t = await testApp();
  base = await t.listen();
});
afterAll(() => t.close());

const anAddress = (): string => `u${randomUUID().replaceAll('-', '')}@example.com`;

const isSignedIn = async (browser: TestBrowser): Promise<boolean> =>
  (await t.call(readSession, {}, { as: { cookie: browser.cookie() } })).body.user !== null;

describe.each(PROVIDERS)('the callback of %s', (provider) => {
  // hole: takeFlow() selects the flow instead of deleting it
  test('is good once', async () => {
    const browser = aBrowser(t, base);
    const callback = await browser.choose(await browser.start(provider), typed(anAddress()));
    expect((await browser.finish(callback)).outcome).toBe('signed-up');
    expect((await browser.finish(callback)).outcome).toBe('lost');
  });

  // hole: takeFlow() does not ask for the browser's hash
  test('of another browser signs nobody in, and is not used up by trying', async () => {
    const attacker = aBrowser(t, base);
    const callback = await attacker.choose(await attacker.start(provider), typed(anAddress()));
    const victim = aBrowser(t, base);
    expect((await victim.finish(callback)).outcome).toBe('lost');
    await victim.start(provider);
    expect((await victim.finish(callback)).outcome).toBe('lost');
    expect(await isSignedIn(victim)).toBe(false);
    expect((await attacker.finish(callback)).outcome).toBe('signed-up');
  });

  // hole: askOf() derives the verifier from nothing but a constant (Google's nonce still stands in the way then; Github
  // has none)
  test('with a code that was given to another browser signs nobody in', async () => {
    const [attacker, victim] = [aBrowser(t, base), aBrowser(t, base)];
    const stolen = await attacker.choose(await attacker.start(provider), typed(anAddress()));
    const own = await victim.choose(await victim.start(provider), typed(anAddress()));
    own.searchParams.set('code', stolen.searchParams.get('code') ?? '');
    expect((await victim.finish(own)).outcome).toBe('unusable');
    expect(await isSignedIn(victim)).toBe(false);
  });

  // hole: takeFlow() does not ask for the provider
  test('does not take the answer of the other service', async () => {
    const browser = aBrowser(t, base);
    const callback = await browser.choose(await browser.start(provider), typed(anAddress()));
    callback.pathname = `/api/auth/${provider === 'google' ? 'github' : 'google'}/callback`;
    callback.searchParams.delete('iss');
    expect((await browser.finish(callback)).outcome).toBe('lost');
  });

  // hole: identify() does not pass `iss` on (with Github, which need not send it; Google's discovery says that it does)
  test('does not take an answer in the name of another issuer', async () => {
    const browser = aBrowser(t, base);
    const callback = await browser.choose(await browser.start(provider), typed(anAddress()));
    callback.searchParams.set('iss', 'https://evil.example');
    expect((await browser.finish(callback)).outcome).toBe('unusable');
    expect(await isSignedIn(browser)).toBe(false);
  });

  // hole: takeFlow() does not ask whether the flow is live
  test('comes too late after ten minutes', async () => {
    const browser = aBrowser(t, base);
    const callback = await browser.choose(await browser.start(provider), typed(anAddress()));
    await sql`UPDATE sign_in_flows SET created_at = created_at - interval '10 minutes 1 second'`.execute(t.db);
    expect((await browser.finish(callback)).outcome).toBe('lost');
    await sweepIdentity(t.db);
    expect(await t.db.selectFrom('sign_in_flows').selectAll().execute()).toEqual([]);
  });

  test.each([
    ['no state', (url: URL) => url.searchParams.delete('state')],
    ['another state', (url: URL) => url.searchParams.set('state', 'A'.repeat(43))],
    ['a code nobody gave', (url: URL) => url.searchParams.set('code', 'x')],
    ['no code', (url: URL) => url.searchParams.delete('code')],
  ])('with %s signs nobody in', async (_what, change) => {
    const browser = aBrowser(t, base);
    const callback = await browser.choose(await browser.start(provider), typed(anAddress()));
    change(callback);
    expect(['lost', 'unusable']).toContain((await browser.finish(callback)).outcome);
    expect(await isSignedIn(browser)).toBe(false);
  });
});

test('a start is refused to other sites, and the database keeps nothing that could finish it', async () => {
  const cross = await t.send('GET', '/api/auth/google', { headers: { 'sec-fetch-site': 'cross-site' } });
  expect(cross.statusCode).toBe(403);
  const browser = aBrowser(t, base);
  const page = await browser.start('google');
  const rows = JSON.stringify(await t.db.selectFrom('sign_in_flows').selectAll().execute());
  for (const secret of [
    page.searchParams.get('state'),
    page.searchParams.get('nonce'),
    browser.cookieNamed('dogear-way'),
  ]) {
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(rows).not.toContain(secret);
    expect(rows).not.toContain(Buffer.from(secret ?? '', 'base64url').toString('hex'));
  }
  expect(page.searchParams.get('code_challenge_method')).toBe('S256');
  expect(page.searchParams.get('redirect_uri')).toBe(`${t.config.publicUrl}/api/auth/google/callback`);
});

const REDIRECTS = [
  '//evil.example',
  '///evil.example',
  '////evil.example/%2f..',
  '/\\evil.example',
  '\\/evil.example',
  '\\\\evil.example',
  '/\\/evil.example',
  '/%2fevil.example',
  '/%5cevil.example',
  '/%252fevil.example',
  '%2f%2fevil.example',
  '/%09/evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/%2e//evil.example',
  '/dashboard/..//evil.example',
  'https://evil.example',
  'https:evil.example',
  'HTTPS://evil.example',
  'http:/evil.example',
  'https://localhost:3000@evil.example',
  'https://localhost:3000.evil.example',
  '@evil.example',
  '.evil.example',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '/categories\r\nlocation: https://evil.example',
  '?outcome=signed-in&from=//evil.example',
];

describe('the place to return to', () => {
  // hole: returnUrl() resolves the return path against the public address instead of naming the page and carrying it
  test.each(REDIRECTS)('%j leads to the page of the shop that checks it, and that goes nowhere else', async (from) => {
    const browser = aBrowser(t, base);
    const { url, outcome } = await browser.signIn('google', { do: 'cancel' }, { from });
    expect(url.origin).toBe(t.config.publicUrl);
    expect(url.pathname).toBe('/login/done');
    expect([outcome, url.searchParams.getAll('from')]).toEqual(['denied', [from]]);
    const followed = new URL(returnPath(url.searchParams.get('from')), t.config.publicUrl);
    expect(followed.origin).toBe(t.config.publicUrl);
  });
});

describe('an address that a stranger registered first', () => {
  const preRegister = async (email: string) => {
    const body = { name: 'Mallory', email, password: PASSWORD };
    const made = await t.call(signUp, { body });
    const cookie = String([made.headers['set-cookie']].flat()[0]).split(';', 1)[0] ?? '';
    const { body: token } = await t.call(issueAccessToken, { query: { email } }, { as: { cookie } });
    return { cookie, accessToken: token.accessToken };
  };

  // hole: linkRefusal() does not ask whether the address is proven
  test('is not joined by its owner, who is told what to do; once it is proven they find it', async () => {
    const email = `v${randomUUID().slice(0, 8)}@example.com`;
    const stranger = await preRegister(email);
    for (const provider of PROVIDERS) {
      const owner = aBrowser(t, base);
      expect((await owner.signIn(provider, typed(email))).outcome).toBe('unproven');
      expect(await isSignedIn(owner)).toBe(false);
    }
    const { rows } = await sql`SELECT FROM sign_in_identities WHERE email = ${email}`.execute(t.db);
    expect(rows).toHaveLength(0);
    // The way that the sentence names: the mail goes to the owner, and its link throws the stranger out.
    await t.call(forgotPassword, { body: { email } });
    await answerResetRequests(t.db);
    const links = (await t.mailTo(email)).flatMap(
      ({ text }) => /reset-password#token=([\w-]{43})/.exec(text)?.[1] ?? [],
    );
    await t.call(resetPassword, { body: { token: links[0] ?? '', password: 'Owner#2026' } });
    expect((await t.call(signIn, { body: { email, password: PASSWORD } })).status).toBe(401);
    expect((await t.call(readSession, {}, { as: { cookie: stranger.cookie } })).body.user).toBeNull();
    expect((await aBrowser(t, base).signIn('google', typed(email))).outcome).toBe('signed-in');
  });

  // hole: startLink() does not ask whether the address is proven
  test('cannot be linked to an account of the stranger, to be opened with it later', async () => {
    const stranger = await preRegister(`v${randomUUID().slice(0, 8)}@example.com`);
    const refused = await t.call(
      startLink,
      { params: { provider: 'google' }, body: { popup: true } },
      { as: stranger },
    );
    expect([refused.status, refused.body.location]).toEqual([403, '']);
    expect(refused.body.error?.message).toContain('confirm your email');
  });
});

// hole: lockHolderOfAddress() answers false for hasOther, and the constraint is dropped
test('an address that went to somebody new does not open the account of whoever had it before', async () => {
  const email = anAddress();
  const before = aBrowser(t, base);
  await before.signIn('google', typed(email));
  // The stand-in knows users by their address; here the address comes with another account.
  await sql`UPDATE sign_in_identities SET subject = 'somebody-else' WHERE email = ${email}`.execute(t.db);
  const after = aBrowser(t, base);
  expect((await after.signIn('google', typed(email))).outcome).toBe('other-linked');
  expect(await isSignedIn(after)).toBe(false);
});
