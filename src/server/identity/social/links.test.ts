import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueAccessToken, readSession } from '#contract/users/identity.ts';
import { listLinks, startLink, unlink, type Provider } from '#contract/users/social.ts';
import { testApp, type Credential, type TestApp } from '#test/app.ts';
import { aUser, type TestUser } from '#test/make.ts';
import { aBrowser, typed, type Ending, type TestBrowser } from '#test/sign-in/way.ts';

let t: TestApp;
let base: string;
beforeAll(async () => {
  t = await testApp();
  base = await t.listen();
});
afterAll(() => t.close());

const anAddress = (): string => `u${randomUUID().replaceAll('-', '')}@example.com`;

/** The browser of a user who is signed in. */
const browserOf = (user: TestUser): TestBrowser => {
  const browser = aBrowser(t, base);
  const [name = '', value = ''] = user.cookie.split('=');
  browser.setCookie(name, value);
  return browser;
};

const begin = async (user: Credential, browser: TestBrowser, provider: Provider, popup = true): Promise<URL> => {
  const as = { accessToken: user.accessToken, cookie: browser.cookie() };
  const started = await t.call(startLink, { params: { provider }, body: { popup } }, { as });
  expect(started.status).toBe(200);
  const [, value = ''] = /dogear-way=([^;]+)/.exec(String(started.headers['set-cookie'])) ?? [];
  browser.setCookie('dogear-way', value);
  return new URL(started.body.location);
};

const link = async (user: TestUser, provider: Provider, choice: Record<string, string>): Promise<Ending> => {
  const browser = browserOf(user);
  return browser.finish(await browser.choose(await begin(user, browser, provider), choice));
};

const linksOf = async (user: Credential) => (await t.call(listLinks, {}, { as: user })).body;

const makeStale = (user: { id: string }) =>
  sql`UPDATE sessions SET signed_in_at = now() - interval '15 minutes 1 second' WHERE user_id = ${user.id}`.execute(
    t.db,
  );

test('an account is linked, shown, opens the account, and is unlinked', async () => {
  const user = await aUser(t);
  const address = anAddress();
  const ending = await link(user, 'github', typed(address, { picture: 'https://pictures.example/1.png' }));
  expect(Object.fromEntries(ending.url.searchParams)).toEqual({
    provider: 'github',
    outcome: 'linked',
    page: 'account',
    popup: '1',
  });
  expect(await linksOf(user)).toEqual([{ provider: 'github', email: address, linkedAt: expect.stringMatching(/Z$/) }]);

  const other = aBrowser(t, base);
  expect((await other.signIn('github', typed(address))).outcome).toBe('signed-in');
  const { body } = await t.call(readSession, {}, { as: { cookie: other.cookie() } });
  expect(body.user).toMatchObject({ uid: user.id, email: user.email, photoURL: '' });
  const row = await t.db.selectFrom('users').select('photo_url').where('id', '=', user.id).executeTakeFirst();
  expect(row).toEqual({ photo_url: 'https://pictures.example/1.png' });

  const params = { provider: 'github' } as const;
  expect((await t.call(unlink, { params }, { as: user })).body).toEqual({ deletedCount: 1 });
  expect((await t.call(unlink, { params }, { as: user })).body).toEqual({ deletedCount: 0 });
  expect(await linksOf(user)).toEqual([]);
  expect((await aBrowser(t, base).signIn('github', typed(address))).outcome).toBe('signed-up');
});

test('the only way in stays: of two that leave at once one remains', async () => {
  const address = anAddress();
  const browser = aBrowser(t, base);
  await browser.signIn('google', typed(address));
  const cookie = browser.cookie();
  const { accessToken } = (await t.call(issueAccessToken, { query: { email: address } }, { as: { cookie } })).body;
  const as = { accessToken };
  const last = await t.call(unlink, { params: { provider: 'google' } }, { as });
  expect([last.status, last.body]).toMatchObject([409, { deletedCount: 0, error: { code: 'last_way_in' } }]);

  await browser.signIn('github', typed(address));
  const again = (await t.call(issueAccessToken, { query: { email: address } }, { as: { cookie: browser.cookie() } }))
    .body;
  const both = await Promise.all(
    (['google', 'github'] as const).map((provider) => t.call(unlink, { params: { provider } }, { as: again })),
  );
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await linksOf(again)).toHaveLength(1);
});

describe('linking', () => {
  test('is refused to visitors', async () => {
    const params = { provider: 'google' } as const;
    expect((await t.call(listLinks, {})).status).toBe(401);
    expect((await t.call(startLink, { params, body: { popup: true } })).status).toBe(401);
    expect((await t.call(unlink, { params })).status).toBe(401);
  });

  test('and unlinking need a sign-in of the last 15 minutes', async () => {
    const user = await aUser(t);
    await link(user, 'google', typed(anAddress()));
    await makeStale(user);
    const params = { provider: 'google' } as const;
    for (const answer of [
      await t.call(startLink, { params: { provider: 'github' }, body: { popup: true } }, { as: user }),
      await t.call(unlink, { params }, { as: user }),
    ]) {
      expect([answer.status, answer.body.error?.code]).toEqual([403, 'fresh_sign_in_needed']);
    }
    expect(await linksOf(user)).toHaveLength(1);
  });

  test('takes no service that there is not, and no second account of one', async () => {
    const user = await aUser(t);
    const unknown = await t.send('POST', '/api/account/links/myspace', { as: user, body: { popup: true } });
    expect(unknown.statusCode).toBe(404);
    await link(user, 'google', typed(anAddress()));
    const second = await t.call(startLink, { params: { provider: 'google' }, body: { popup: true } }, { as: user });
    expect([second.status, second.body.error?.code]).toEqual([409, 'already_exists']);
  });

  test('does not take an account that opens somebody else, and begun twice ends once', async () => {
    const [one, other] = [await aUser(t), await aUser(t)];
    const choice = typed(anAddress());
    expect((await link(one, 'google', choice)).outcome).toBe('linked');
    expect((await link(other, 'google', choice)).outcome).toBe('taken');
    const browser = browserOf(other);
    const pages = [await begin(other, browser, 'google'), await begin(other, browser, 'google')];
    const [first, second] = pages as [URL, URL];
    expect((await browser.finish(await browser.choose(first, typed(anAddress())))).outcome).toBe('linked');
    expect((await browser.finish(await browser.choose(second, typed(anAddress())))).outcome).toBe('other-linked');
  });

  test('ends with the session it began in, also when somebody else signed in since', async () => {
    const [user, other] = [await aUser(t), await aUser(t)];
    const browser = browserOf(user);
    const callback = await browser.choose(await begin(user, browser, 'google'), typed(anAddress()));
    browser.setCookie('dogear', other.cookie.split('=')[1] ?? '');
    expect((await browser.finish(callback)).outcome).toBe('signed-out');
    expect([await linksOf(user), await linksOf(other)]).toEqual([[], []]);
  });
});

describe('proving again who one is', () => {
  test('refreshes the sign-in by the account that is linked, and by no other', async () => {
    const user = await aUser(t);
    const choice = typed(anAddress());
    await link(user, 'google', choice);
    await makeStale(user);
    const browser = browserOf(user);
    const query = { again: '1', page: 'account', popup: '1' };
    expect((await browser.signIn('google', typed(anAddress()), query)).outcome).toBe('other-person');
    expect((await browser.signIn('google', choice, query)).outcome).toBe('signed-in');
    const cookie = browser.cookie();
    const token = (await t.call(issueAccessToken, { query: { email: user.email } }, { as: { cookie } })).body;
    expect((await t.call(unlink, { params: { provider: 'google' } }, { as: token })).status).toBe(200);
  });

  test('is for people who are signed in', async () => {
    expect((await aBrowser(t, base).signIn('google', typed(anAddress()), { again: '1' })).outcome).toBe('signed-out');
  });
});
