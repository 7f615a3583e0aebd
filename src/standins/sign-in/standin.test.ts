import { createHash } from 'node:crypto';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GOOGLE_STANDIN, STANDIN_CLIENT_ID, STANDIN_CLIENT_SECRET } from './keys.ts';
import { createSignInStandin } from './standin.ts';

const standin = createSignInStandin();
let base: string;
beforeAll(async () => {
  base = `http://127.0.0.1:${await standin.listen(0)}`;
});
afterAll(() => standin.close());

const VERIFIER = 'v'.repeat(43);
const CALLBACK = 'http://localhost:3000/api/auth/callback';

const SERVICES = {
  google: { authorize: '/google/authorize', decide: '/google/decide', token: '/google/token' },
  github: {
    authorize: '/github/login/oauth/authorize',
    decide: '/github/login/oauth/decide',
    token: '/github/login/oauth/access_token',
  },
} as const;
type Service = keyof typeof SERVICES;

const ASKED = {
  client_id: STANDIN_CLIENT_ID,
  redirect_uri: CALLBACK,
  response_type: 'code',
  state: 'a-state',
  nonce: 'a-nonce',
  code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  code_challenge_method: 'S256',
};

const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${base}${path}`, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual', headers });

const codeOf = async (service: Service, choice: Record<string, string> = { do: 'pick ada.marlowe@example.com' }) => {
  const back = new URL((await post(SERVICES[service].decide, { ...ASKED, ...choice })).headers.get('location') ?? '');
  return back.searchParams.get('code') ?? '';
};

const exchange = async (service: Service, changes: Record<string, string> = {}) => {
  const form = {
    grant_type: 'authorization_code',
    client_id: STANDIN_CLIENT_ID,
    client_secret: STANDIN_CLIENT_SECRET,
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
    ...changes,
    code: changes['code'] ?? (await codeOf(service)),
  };
  const answer = await post(SERVICES[service].token, form, { accept: 'application/json' });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
};

describe.each(['google', 'github'] as const)('%s', (service) => {
  test('gives a code to whom the page was shown, and a token for it, once', async () => {
    const code = await codeOf(service);
    const given = await exchange(service, { code });
    expect([given.status, given.body['token_type']?.toLowerCase()]).toEqual([200, 'bearer']);
    const again = await exchange(service, { code });
    expect(again.body['access_token']).toBeUndefined();
    expect(again.body['error']).toMatch(/invalid_grant|bad_verification_code/);
  });

  test.each([
    ['another verifier', { code_verifier: 'w'.repeat(43) }],
    ['no verifier', { code_verifier: '' }],
    ['another address', { redirect_uri: 'http://localhost:3001/api/auth/callback' }],
    ['another secret', { client_secret: 'guessed' }],
    ['a code nobody gave', { code: 'guessed' }],
  ])('gives nothing for %s', async (_what, changes) => {
    const { body } = await exchange(service, changes);
    expect(body['access_token']).toBeUndefined();
    expect(body['error']).toMatch(/^(invalid|bad|incorrect)_/);
  });

  test.each([
    ['an address that is no shop on this machine', { redirect_uri: 'https://evil.example/callback' }],
    ['an unknown shop', { client_id: 'guessed' }],
    ['no code challenge', { code_challenge: '' }],
  ])('shows no page for %s', async (_what, changes) => {
    const query = new URLSearchParams({ ...ASKED, ...changes });
    const answer = await fetch(`${base}${SERVICES[service].authorize}?${query}`, { redirect: 'manual' });
    expect(answer.status).toBe(400);
    expect(await answer.text()).not.toContain('<form');
  });

  test('refuses plain challenges as the protocol says, and text of the shop stays text', async () => {
    const plain = new URLSearchParams({ ...ASKED, code_challenge_method: 'plain' });
    const refused = await fetch(`${base}${SERVICES[service].authorize}?${plain}`, { redirect: 'manual' });
    expect(new URL(refused.headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_request');
    const odd = new URLSearchParams({ ...ASKED, state: '"><script>alert(1)</script>' });
    const page = await (await fetch(`${base}${SERVICES[service].authorize}?${odd}`)).text();
    expect(page).toContain('&lt;script&gt;');
    expect(page).not.toContain('<script>');
  });
});

test('the ID token of Google is signed by a published key and says what was asked', async () => {
  const { body } = await exchange('google');
  const keys = createRemoteJWKSet(new URL(`${base}/google/jwks`));
  const { payload, protectedHeader } = await jwtVerify(body['id_token'] ?? '', keys);
  expect(protectedHeader.alg).toBe('RS256');
  expect(payload).toMatchObject({
    iss: GOOGLE_STANDIN,
    aud: STANDIN_CLIENT_ID,
    nonce: 'a-nonce',
    email: 'ada.marlowe@example.com',
    email_verified: true,
    sub: expect.stringMatching(/^\d{21}$/),
  });
  const headers = { authorization: `Bearer ${body['access_token']}` };
  const user = await (await fetch(`${base}/google/userinfo`, { headers })).json();
  expect(user).toMatchObject({ sub: payload.sub });
  expect((await fetch(`${base}/github/api/user`, { headers })).status).toBe(401);
});

test('Github tells who somebody is in two calls, and answers as forms to whoever does not ask for JSON', async () => {
  const form = { client_id: STANDIN_CLIENT_ID, client_secret: STANDIN_CLIENT_SECRET, redirect_uri: CALLBACK };
  const code = await codeOf('github', { do: 'typed', email: 'octo@example.com', verified: 'yes' });
  const answer = await post(SERVICES.github.token, { ...form, code, code_verifier: VERIFIER });
  const headers = { authorization: `token ${new URLSearchParams(await answer.text()).get('access_token')}` };
  const user = await (await fetch(`${base}/github/api/user`, { headers })).json();
  expect(user).toMatchObject({ login: 'octo', id: expect.any(Number), name: null, email: null });
  const addresses = await (await fetch(`${base}/github/api/user/emails`, { headers })).json();
  expect(addresses).toContainEqual({ email: 'octo@example.com', primary: true, verified: true, visibility: 'private' });
});
