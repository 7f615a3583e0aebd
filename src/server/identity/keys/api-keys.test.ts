import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { listStockCopies } from '#contract/stock/stock-copies.ts';
import { KEY_CALLS_A_MINUTE, listApiKeys, MAX_API_KEYS, makeApiKey, revokeApiKey } from '#contract/users/api-keys.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aListing, aSeller, type TestUser } from '#test/make.ts';
import { aKey } from '#test/keys.ts';

let t: TestApp;
let seller: TestUser;
beforeAll(async () => {
  t = await testApp();
});
beforeEach(async () => {
  seller = await aSeller(t);
});
afterAll(() => t.close());

const make = (name: string, as = seller) => t.call(makeApiKey, { body: { name, scopes: ['stock:read'] } }, { as });
const copiesWith = (key: string) =>
  t.call(listStockCopies, { query: {} }, { as: { accessToken: key, cookie: undefined } });

it('is shown once, works at once, is kept as a hash and says when it was used last', async () => {
  const { body } = await make(' BookTrakker \n at home ');
  expect(body.key).toMatch(/^dg_[\w-]{43}$/);
  expect(body.made).toMatchObject({ name: 'BookTrakker at home', begins: body.key.slice(0, 8), lastUsedAt: null });
  const { rows } = await sql<{ row: string }>`SELECT k::text AS row FROM api_keys AS k
    WHERE user_id = ${seller.id}`.execute(t.db);
  expect(rows[0]?.row).not.toContain(body.key);
  await aListing(t, seller);
  expect((await copiesWith(body.key)).body).toHaveLength(1);
  expect((await t.call(listApiKeys, {}, { as: seller })).body.keys).toMatchObject([{ lastUsedAt: expect.any(String) }]);
  expect((await t.mailTo(seller.email)).at(-1)?.subject).toBe('A key was made for a program: BookTrakker at home');
});

it('is dead once it is revoked, its owner is suspended, left or sells no more, and lives again after a suspension', async () => {
  const key = await aKey(t, seller, ['stock:read']);
  const status = async () => (await copiesWith(key)).status;
  expect(await status()).toBe(200);
  await sql`INSERT INTO suspensions (user_id, reason) VALUES (${seller.id}, 'Looked into')`.execute(t.db);
  expect(await status()).toBe(401);
  await sql`DELETE FROM suspensions WHERE user_id = ${seller.id}`.execute(t.db);
  expect(await status()).toBe(200);
  for (const change of [sql`is_seller = false`, sql`deleted_at = now()`]) {
    await sql`UPDATE users SET ${change} WHERE id = ${seller.id}`.execute(t.db);
    expect(await status()).toBe(401);
    await sql`UPDATE users SET is_seller = true, deleted_at = NULL WHERE id = ${seller.id}`.execute(t.db);
  }
  const [mine] = (await t.call(listApiKeys, {}, { as: seller })).body.keys;
  const params = { id: mine?._id ?? '' };
  // Another seller revokes nothing of it.
  expect((await t.call(revokeApiKey, { params }, { as: await aSeller(t) })).body).toEqual({ deletedCount: 0 });
  expect((await t.call(revokeApiKey, { params }, { as: seller })).body).toEqual({ deletedCount: 1 });
  expect(await status()).toBe(401);
  for (const wrong of ['dg_', `dg_${'A'.repeat(43)}`, key.slice(0, -1), `${key}x`])
    expect((await copiesWith(wrong)).status).toBe(401);
});

it('is made by somebody who signed in lately, with a name, and ten times at most', async () => {
  expect((await make(' ')).status).toBe(400);
  for (let n = 0; n < MAX_API_KEYS; n += 1) expect((await make(`Program ${n}`)).status).toBe(201);
  expect((await make('One too many')).status).toBe(429);
  await sql`UPDATE sessions SET signed_in_at = now() - interval '16 minutes' WHERE user_id = ${seller.id}`.execute(
    t.db,
  );
  expect(await make('Late')).toMatchObject({ status: 403, body: { error: { code: 'fresh_sign_in_needed' } } });
});

it('makes no other key, reads no account, and is not the cookie of anybody', async () => {
  const key = await aKey(t, seller, ['stock:read', 'stock:write', 'orders:read']);
  const as = { accessToken: key, cookie: undefined };
  expect((await t.call(makeApiKey, { body: { name: 'x', scopes: ['stock:read'] } }, { as })).status).toBe(403);
  expect((await t.send('GET', '/api/account', { as })).statusCode).toBe(403);
  expect((await t.send('POST', '/api/auth/sign-out', { as })).statusCode).toBe(403);
  expect((await t.send('GET', '/api/account/export', { as })).statusCode).toBe(403);
});

it('makes so many calls a minute in production, and is told how long to wait', async () => {
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
    const owner = await aSeller(shop);
    const as = { accessToken: await aKey(shop, owner, ['stock:read']), cookie: undefined };
    const ask = () => shop.send('GET', '/api/stock/edits', { as });
    for (let n = 0; n < KEY_CALLS_A_MINUTE; n += 1) expect((await ask()).statusCode).toBe(200);
    const refused = await ask();
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    // Whoever signed in by themselves is not counted with their programs.
    expect((await shop.send('GET', '/api/stock/edits', { as: owner })).statusCode).toBe(200);
  } finally {
    await shop.close();
  }
});
