import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueAccessToken, readSession, signUp } from '#contract/users/identity.ts';
import { confirmAddress, sendConfirmation } from '#contract/users/mail-links.ts';
import { testApp, type Credential, type TestApp } from '#test/app.ts';
import { aUser, PASSWORD } from '#test/make.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const newcomer = async (): Promise<{ id: string; email: string; as: Credential }> => {
  const email = `u${randomUUID().slice(0, 12)}@example.com`;
  const made = await t.call(signUp, { body: { name: 'Una Proven', email, password: PASSWORD } });
  const cookie = String(made.headers['set-cookie']).split(';', 1)[0] ?? '';
  const { accessToken } = (await t.call(issueAccessToken, { query: { email } }, { as: { cookie } })).body;
  return { id: made.body.user.uid, email, as: { accessToken } };
};
const tokensTo = async (email: string): Promise<string[]> =>
  (await t.mailTo(email))
    .map(({ text }) => /http:\/\/localhost:3000\/confirm#token=([A-Za-z0-9_-]{43})\n/.exec(text)?.[1])
    .filter((token) => token !== undefined);
const confirm = (token: string) => t.call(confirmAddress, { body: { token } });
const isProven = async (as: Credential): Promise<boolean | undefined> =>
  (await t.call(readSession, {}, { as })).body.user?.emailProven;

describe('a new account', () => {
  test('is welcomed by mail, and its address is proven by the link in it; opening that again is fine', async () => {
    const user = await newcomer();
    const [mail, ...more] = await t.mailTo(user.email);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      to: `"Una Proven" <${user.email}>`.replaceAll('"', ''),
      from: 'Dogear <no-reply@localhost>',
    });
    const [token = ''] = await tokensTo(user.email);
    expect(await isProven(user.as)).toBe(false);
    for (const method of ['GET', 'HEAD', 'PUT'] as const) {
      expect((await t.send(method, `/api/auth/confirm?token=${token}`)).statusCode).toBe(404);
    }
    expect(await isProven(user.as)).toBe(false);
    for (let opened = 0; opened < 2; opened += 1) {
      const answer = await confirm(token);
      expect([answer.status, answer.body]).toEqual([200, { confirmed: true }]);
      expect(await isProven(user.as)).toBe(true);
    }
  });

  test('that could not be made gets no mail', async () => {
    const user = await aUser(t);
    const taken = await t.call(signUp, { body: { name: 'Eve', email: user.email, password: PASSWORD } });
    expect(taken.status).toBe(409);
    expect(await t.mailTo(user.email)).toEqual([]);
  });
});

describe('a link that proves an address', () => {
  test('works for 7 days, once, for its own account; unknown and old ones prove nothing', async () => {
    const [late, other] = [await newcomer(), await newcomer()];
    const [token = ''] = await tokensTo(late.email);
    const { rows } = await sql<{ days: number }>`
      SELECT extract(epoch FROM expires_at - created_at)::float8 / 86400 AS days FROM account_links WHERE user_id = ${late.id}`.execute(
      t.db,
    );
    expect(rows).toEqual([{ days: 7 }]);
    await sql`UPDATE account_links SET expires_at = now() WHERE user_id = ${late.id}`.execute(t.db);
    for (const wrong of [token, '', 'A'.repeat(43), 'x'.repeat(200)]) {
      const answer = await confirm(wrong);
      expect([answer.status, answer.body.error?.code, answer.body.confirmed]).toEqual([410, 'link_over', false]);
    }
    for (const user of [late, other]) expect(await isProven(user.as)).toBe(false);
  });

  test('of an address the account had before proves nothing', async () => {
    const user = await newcomer();
    const [token = ''] = await tokensTo(user.email);
    await sql`UPDATE users SET email = 'new-${sql.raw(user.email)}' WHERE id = ${user.id}`.execute(t.db);
    expect((await confirm(token)).status).toBe(410);
  });
});

describe('asking for the link again', () => {
  test('sends another one, both work, until the address is proven', async () => {
    const user = await newcomer();
    const asked = await t.call(sendConfirmation, {}, { as: user.as });
    expect([asked.status, asked.body]).toMatchObject([200, { sent: true }]);
    const tokens = await tokensTo(user.email);
    expect(new Set(tokens).size).toBe(2);
    for (const token of tokens) expect((await confirm(token)).status).toBe(200);
    expect((await t.call(sendConfirmation, {}, { as: user.as })).body).toMatchObject({ sent: false });
    expect(await tokensTo(user.email)).toHaveLength(2);
  });

  test('is for the person, and five times an hour', async () => {
    expect((await t.call(sendConfirmation, {})).status).toBe(401);
    const user = await newcomer();
    for (let asked = 0; asked < 5; asked += 1) {
      expect((await t.call(sendConfirmation, {}, { as: user.as })).status).toBe(200);
    }
    const refused = await t.call(sendConfirmation, {}, { as: user.as });
    expect([refused.status, refused.body.error?.code]).toEqual([429, 'too_many']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000);
  });
});
