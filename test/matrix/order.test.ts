import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp, type CallOptions, type TestApp } from '#test/app.ts';
import { aBuyer, aDraft, aSeller } from '#test/make.ts';
import type { Row, Sent } from './row.ts';
import { ROWS } from './rows.ts';
import { setScene, type Scene } from './scene.ts';

let t: TestApp;
let scene: Scene;
beforeAll(async () => {
  t = await testApp();
  scene = await setScene(t);
});
afterAll(() => t.close());

const ROLES = ['buyer', 'seller', 'admin'] as const;
type Asker = 'none' | (typeof ROLES)[number];

/** The call of a row with what is wrong with it. */
interface Broken {
  readonly sent: Sent;
  readonly path?: boolean;
  readonly query?: boolean;
  readonly body?: boolean;
}

/** A path whose parameters name nothing, a query that says one thing twice, a body that is no JSON. */
const send = (row: Row, asker: Asker, { sent, path, query, body }: Broken) => {
  const [method = '', pattern = ''] = row.call.split(' ');
  const filled = pattern.replace(/:(\w+)/g, (_, name: string) =>
    path === true ? '%00' : encodeURIComponent(sent.params?.[name] ?? ''),
  );
  const asked = new URLSearchParams(sent.query).toString() + (query === true ? '&twice=1&twice=2' : '');
  const options: CallOptions = asker === 'none' ? {} : { as: scene[asker] };
  const json: Record<string, string> = body === true ? { 'content-type': 'application/json' } : {};
  return t.send(method, `${filled}?${asked}`, {
    ...options,
    headers: { ...sent.headers, ...json },
    ...(body === true ? { body: '{' } : sent.body !== undefined && { body: sent.body }),
  });
};

const statusOf = (row: Row, asker: Asker): number => {
  const [none, buyer, seller, admin] = row.statuses;
  return { none, buyer, seller, admin }[asker];
};

const mayCarryBody = ({ call }: Row): boolean => !call.startsWith('GET ');
const sentBy = (row: Row, asker: Asker): Promise<Sent> | Sent => {
  const me = asker === 'none' ? scene.buyer : scene[asker];
  return row.send({ t, scene, me, claimed: me.email });
};

const forSomebody = ROWS.filter(({ statuses: [none] }) => none === 401 || none === 403);
// A passkey that is none is 401 to everybody: the call is a stranger's.
const guarded = forSomebody.filter(({ call }) => call !== 'POST /api/auth/passkey');

/** What is looked up, and no role: an admin's passkey, who takes part in an order. */
const LOOKED_UP = new Set([
  'POST /api/account/recovery_codes',
  'POST /api/listings/:id/messages',
  'POST /api/orders/:id/notes',
]);

// Planted hole, seen failing here: deleteCategory guarded as what anybody signed in may ask for.
describe.each(guarded)('$call', (row) => {
  const body = mayCarryBody(row);

  test('asks who is asking before it looks at what they sent', async () => {
    const sent = await sentBy(row, 'none');
    const answer = await send(row, 'none', { sent, path: true, query: true, body });
    expect(answer.statusCode).toBe(401);
  });

  const refused = ROLES.filter((role) => statusOf(row, role) === 403);
  test.runIf(refused.length > 0)('refuses another role before it looks at what they sent', async () => {
    const byRole = LOOKED_UP.has(row.call) ? [] : refused;
    for (const role of byRole) {
      const sent = await sentBy(row, role);
      expect((await send(row, role, { sent, path: true, query: true, body })).statusCode, role).toBe(403);
    }
  });

  test('says what is wrong before it says that there is nothing there', async () => {
    const role = ROLES.find((one) => statusOf(row, one) < 400);
    if (role === undefined) return;
    const sent = await sentBy(row, role);
    const hasPlace = row.call.includes(':');
    if (body) expect((await send(row, role, { sent, path: hasPlace, body })).statusCode).toBe(400);
    expect((await send(row, role, { sent, path: hasPlace, query: true })).statusCode).toBe(400);
    if (hasPlace) expect((await send(row, role, { sent, path: true })).statusCode).toBe(404);
  });
});

const ofOneAddress = guarded.filter(({ statuses, call }) => statuses[4] === 403 && !call.startsWith('POST '));

test("another's list is refused before it is looked at what else was sent", async () => {
  expect(ofOneAddress.map(({ call }) => call)).toEqual(
    expect.arrayContaining(['GET /api/jwt', 'GET /api/bookings', 'GET /api/categories/my_products']),
  );
  for (const row of ofOneAddress) {
    const [me, owner] = row.other === 'buyer' ? [scene.otherBuyer, scene.buyer] : [scene.otherSeller, scene.seller];
    const [method = '', path = ''] = row.call.split(' ');
    const url = `${path}?email=${owner.email}&limit=none&twice=1&twice=2`;
    expect((await t.send(method, url, { as: me })).statusCode, row.call).toBe(403);
  }
});

describe('a body', () => {
  const JSON_TYPE = { 'content-type': 'application/json' };
  const large = (bytes: number): string => JSON.stringify({ details: 'x'.repeat(bytes) });

  test('of a stranger is read to a few kilobytes, also where there is no call', async () => {
    for (const [method, url] of [
      ['POST', '/api/auth/sign-up'],
      ['POST', '/api/auth/sign-in'],
      ['POST', '/api/auth/forgot'],
      ['POST', '/api/auth/passkey'],
      ['POST', '/api/no-such-call'],
    ] as const) {
      const answer = await t.send(method, url, { body: large(9_000), headers: JSON_TYPE });
      expect([answer.statusCode, answer.json().error.code], url).toEqual([413, 'too_large']);
    }
  });

  test('of a stranger is not looked at where somebody is asked for, and one that is long ends the connection', async () => {
    const answer = await t.send('POST', '/api/categories', { body: large(1_000_000), headers: JSON_TYPE });
    expect(answer.statusCode).toBe(401);
    expect(answer.headers.connection).toBe('close');
    const short = await t.send('POST', '/api/categories', { body: '{', headers: JSON_TYPE });
    expect(short.headers.connection).not.toBe('close');
  });

  test('of somebody known may have a hundred kilobytes', async () => {
    const seller = await aSeller(t);
    const body = { ...aDraft(seller, scene.category), more: 'x'.repeat(90_000) };
    expect((await t.send('POST', '/api/categories', { as: seller, body })).statusCode).toBe(201);
  });

  test('that arrives after its sender has signed out does nothing', async () => {
    const buyer = await aBuyer(t);
    const { hostname, port } = new URL(await t.listen());
    const asked = request({ hostname, port, method: 'PATCH', path: '/api/account' });
    asked.setHeader('authorization', `Bearer ${buyer.accessToken}`);
    asked.setHeader('content-type', 'application/json');
    asked.setHeader('expect', '100-continue');
    const answered = new Promise<number | undefined>((resolve, reject) => {
      asked.on('error', reject).on('response', (answer) => resolve(answer.resume().statusCode));
    });
    await new Promise((resolve) => {
      asked.once('continue', resolve);
      asked.flushHeaders();
    });
    // What comes meanwhile is one that began before.
    await t.send('GET', '/api/account', { as: buyer });
    expect((await t.send('POST', '/api/auth/sign-out', { as: buyer })).statusCode).toBe(204);
    asked.end('{"name":"Eve"}');
    expect(await answered).toBe(401);
  });
});
