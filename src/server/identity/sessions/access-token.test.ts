import { createHmac } from 'node:crypto';
import {
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  SignJWT,
  type JWK,
  type JWTPayload,
} from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { becomeBuyer, isAdmin, issueAccessToken, saveProfile, signOut } from '#contract/users/identity.ts';
import { connect, isUnavailable } from '#server/platform/postgres/db.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aUser, type TestUser } from '#test/make.ts';
import { viewerOfAccessToken } from './access-token.ts';
import { renewAccessToken, viewerOfSessionToken } from './sessions.service.ts';

let t: TestApp;
let user: TestUser;
beforeAll(async () => {
  t = await testApp();
  user = await aUser(t);
});
afterAll(() => t.close());

/** What a call that needs proof answers to this token: 200 when it is believed. */
const statusWith = async (accessToken: string, of = user): Promise<number> => {
  const body = { name: of.name, email: of.email };
  return (await t.call(saveProfile, { body }, { as: { accessToken } })).status;
};

describe('GET /jwt', () => {
  test('gives the session of that very address a token of 10 minutes that names no address', async () => {
    const answer = await t.call(issueAccessToken, { query: { email: user.email } }, { as: { cookie: user.cookie } });
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { accessToken } = answer.body;
    expect(decodeProtectedHeader(accessToken)).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid: expect.any(String) });
    const claims = decodeJwt(accessToken);
    expect(claims).toEqual({
      iss: t.config.publicUrl,
      aud: 'dogear-api',
      sub: user.id,
      sid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      iat: expect.any(Number),
      exp: Number(claims.iat) + 600,
    });
    expect(await statusWith(accessToken)).toBe(200);
  });

  test('renews by the same call, and takes the address in any case', async () => {
    for (const email of [user.email, user.email.toUpperCase()]) {
      const answer = await t.call(issueAccessToken, { query: { email } }, { as: { cookie: user.cookie } });
      expect(await statusWith(answer.body.accessToken)).toBe(200);
    }
  });

  test('refuses another address with 403 and nobody with 401, both with an empty token', async () => {
    const stranger = await aUser(t);
    for (const [as, email, status] of [
      [{ cookie: stranger.cookie }, user.email, 403],
      [{ cookie: user.cookie }, 'nobody@example.com', 403],
      [{ cookie: user.cookie }, '', 403],
      [undefined, user.email, 401],
      // a token is not enough to make more of them
      [{ accessToken: user.accessToken }, user.email, 401],
    ] as const) {
      const answer = await t.call(issueAccessToken, { query: { email } }, { as });
      expect([answer.status, answer.body.accessToken]).toEqual([status, '']);
    }
  });

  test('refuses a repeated or missing address', async () => {
    for (const query of [`?email=${user.email}&email=${user.email}`, '', `?email[]=${user.email}`]) {
      const answer = await t.send('GET', `/api/jwt${query}`, { as: user });
      expect([answer.statusCode, answer.json().accessToken]).toEqual([400, '']);
    }
  });
});

describe('an access token', () => {
  /** The token's own parts, with a way to sign others by the shop's very key. */
  const forger = async () => {
    const stored = await t.db.selectFrom('signing_keys').selectAll().executeTakeFirstOrThrow();
    const jwk = stored.private_jwk as JWK;
    const key = await importJWK(jwk, 'EdDSA');
    const claims = decodeJwt(user.accessToken);
    const header = { alg: 'EdDSA', typ: 'at+jwt', kid: stored.kid };
    const sign = (changed: JWTPayload = {}, headers: Record<string, unknown> = {}, by: typeof key = key) =>
      new SignJWT({ ...claims, ...changed }).setProtectedHeader({ ...header, ...headers }).sign(by);
    return { sign, claims, header, jwk };
  };

  const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

  test('is believed when signed by our key with the same parts, so that the refusals below mean something', async () => {
    const { sign } = await forger();
    expect(await statusWith(await sign())).toBe(200);
  });

  // Planted hole, seen failing here: claimsOf reading a token that ends in a dot with decodeJwt.
  test('without a signature is refused', async () => {
    const { claims, header } = await forger();
    for (const alg of ['none', 'None', 'NONE', '']) {
      const head = base64url({ ...header, alg });
      expect(await statusWith(`${head}.${base64url(claims)}.`)).toBe(401);
      expect(await statusWith(`${head}.${base64url(claims)}.${user.accessToken.split('.')[2]}`)).toBe(401);
    }
    const [head, payload] = user.accessToken.split('.');
    expect(await statusWith(`${head}.${payload}.`)).toBe(401);
  });

  // Planted hole, seen failing here: HS256 among the algorithms, and the public key's SPKI text as its secret.
  test('signed with our public key as a shared secret is refused', async () => {
    const { claims, header, jwk } = await forger();
    const { d: _secret, ...publicJwk } = jwk;
    const spki = await exportSPKI((await importJWK(publicJwk, 'EdDSA', { extractable: true })) as CryptoKey);
    for (const secret of [String(jwk.x), Buffer.from(String(jwk.x), 'base64url'), spki, JSON.stringify(publicJwk)]) {
      const signed = `${base64url({ ...header, alg: 'HS256' })}.${base64url(claims)}`;
      const mac = createHmac('sha256', secret).update(signed).digest('base64url');
      expect(await statusWith(`${signed}.${mac}`)).toBe(401);
    }
  });

  // Planted hole, seen failing here: the key taken from the header's jwk.
  test('signed by another key is refused, also when it brings that key along', async () => {
    const { sign } = await forger();
    const other = await generateKeyPair('EdDSA', { extractable: true });
    const jwk = await exportJWK(other.publicKey);
    for (const headers of [
      {},
      { jwk },
      { jku: 'http://127.0.0.1:9/keys.json' },
      { x5u: 'http://127.0.0.1:9/cert.pem' },
      { kid: 'unknown' },
      { kid: '../../../../dev/null' },
      { kid: "' OR true --" },
      { kid: '__proto__' },
      { kid: undefined },
    ]) {
      expect(await statusWith(await sign({}, headers, other.privateKey))).toBe(401);
    }
    const rsa = await generateKeyPair('ES256');
    expect(await statusWith(await sign({}, { alg: 'ES256' }, rsa.privateKey))).toBe(401);
  });

  // Planted holes, seen failing here, one at a time: jwtVerify without issuer, without audience.
  test.each<[string, JWTPayload]>([
    ['another issuer', { iss: 'https://evil.example' }],
    ['no issuer', { iss: undefined }],
    ['another audience', { aud: 'another-api' }],
    ['no audience', { aud: undefined }],
    ['an address as its subject', { sub: 'ada@example.com' }],
    ['no subject', { sub: undefined }],
    ['no session', { sid: undefined }],
    ['a session that is no id', { sid: "x' OR true --" }],
    ['a session that does not exist', { sid: '00000000-0000-4000-8000-000000000000' }],
    ['no end', { exp: undefined }],
    ['an end that has passed', { exp: Math.floor(Date.now() / 1000) - 1 }],
    ['an end beyond 10 minutes', { exp: Math.floor(Date.now() / 1000) + 3_600 }],
    ['an absurd end', { exp: 1e308 }],
    ['a beginning in the future', { nbf: Math.floor(Date.now() / 1000) + 300 }],
  ])('with %s is refused, though signed by our key', async (_, changed) => {
    const { sign } = await forger();
    expect(await statusWith(await sign(changed))).toBe(401);
  });

  // Planted hole, seen failing here: jwtVerify without typ.
  test.each(['JWT', 'id+jwt', 'at+jwt2', undefined])('of the type %s is refused', async (typ) => {
    const { sign } = await forger();
    expect(await statusWith(await sign({}, { typ }))).toBe(401);
  });

  test("with somebody else's session is refused", async () => {
    const { sign } = await forger();
    const stranger = await aUser(t);
    expect(await statusWith(await sign({ sid: decodeJwt(stranger.accessToken)['sid'] }))).toBe(401);
    expect(await statusWith(await sign({ sub: stranger.id }))).toBe(401);
  });

  test.each(['x', 'a.b', 'a.b.c', '..', '....', 'e30.e30.e30', 'A'.repeat(8_000)])(
    'that is %s is refused',
    async (token) => {
      expect(await statusWith(token)).toBe(401);
    },
  );

  test('ends when the clock of the database says so, whatever ours says', async () => {
    const { sign, claims } = await forger();
    const { rows } = await sql<{ now: number }>`SELECT extract(epoch FROM now())::float8 AS now`.execute(t.db);
    const now = Math.floor(rows[0]?.now ?? 0);
    expect(await statusWith(await sign({ iat: now - 599, exp: now }))).toBe(401);
    expect(await statusWith(await sign({ iat: Number(claims.iat) - 500, exp: now + 100 }))).toBe(200);
  });

  test('dies with its session', async () => {
    const leaver = await aUser(t);
    expect(await statusWith(leaver.accessToken, leaver)).toBe(200);
    expect((await t.call(signOut, {}, { as: { cookie: leaver.cookie } })).status).toBe(204);
    expect(await statusWith(leaver.accessToken, leaver)).toBe(401);
  });

  test('says nothing about roles: the database is asked each time', async () => {
    const ask = async () =>
      (await t.call(isAdmin, { params: { email: user.email } }, { as: { accessToken: user.accessToken } })).body
        .isAdmin;
    const { sign } = await forger();
    const boastful = await sign({ isAdmin: true, role: 'admin', roles: ['admin'] });
    const claimed = await t.call(isAdmin, { params: { email: user.email } }, { as: { accessToken: boastful } });
    expect(claimed.body.isAdmin).toBe(false);
    await t.db.updateTable('users').set({ is_admin: true }).where('id', '=', user.id).execute();
    expect(await ask()).toBe(true);
    await t.db.updateTable('users').set({ is_admin: false }).where('id', '=', user.id).execute();
    expect(await ask()).toBe(false);
  });

  test('that is bad beside a good cookie is refused where either would do', async () => {
    const as = { accessToken: 'a.b.c', cookie: user.cookie };
    expect((await t.call(becomeBuyer, { query: { email: user.email } }, { as })).status).toBe(401);
  });
});

describe('the signing key', () => {
  test('is made once, however many processes want it first', async () => {
    const fresh = await testApp();
    const others = Array.from({ length: 4 }, () => connect(fresh.databaseUrl, { connections: 2 }));
    try {
      const someone = await aUser(fresh);
      await fresh.db.deleteFrom('signing_keys').execute();
      const viewer = await viewerOfSessionToken(fresh.db, fresh.config, someone.cookie.split('=')[1] ?? '');
      const tokens = await Promise.all(
        others.map(({ db }) => renewAccessToken(db, fresh.config, viewer, someone.email)),
      );
      expect(await fresh.db.selectFrom('signing_keys').select('kid').execute()).toHaveLength(1);
      for (const { db } of others) {
        for (const token of tokens) {
          expect((await viewerOfAccessToken(db, fresh.config, token)).kind).toBe('signed-in');
        }
      }
    } finally {
      await Promise.all(others.map((other) => other.close()));
      await fresh.close();
    }
  });

  test('never leaves the database in an answer', async () => {
    const stored = await t.db.selectFrom('signing_keys').selectAll().executeTakeFirstOrThrow();
    const secret = String((stored.private_jwk as JWK).d);
    expect(secret.length).toBeGreaterThan(40);
    const answer = await t.send('GET', `/api/jwt?email=${user.email}`, { as: user });
    expect(answer.body).not.toContain(secret);
    expect(JSON.stringify(answer.headers)).not.toContain(secret);
  });

  test('a failing database is told as such, not taken for a bad token', async () => {
    const nowhere = connect('postgres://127.0.0.1:1/none', { connections: 1 });
    await expect(viewerOfAccessToken(nowhere.db, t.config, user.accessToken)).rejects.toSatisfy(isUnavailable);
    await nowhere.close();
  });
});
