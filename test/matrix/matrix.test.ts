import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES } from '#contract/users/api-keys.ts';
import { aKey } from '#test/keys.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aUser, type TestUser } from '#test/make.ts';
import type { Row } from './row.ts';
import { ROWS } from './rows.ts';
import { CALLERS, credentialOf, setScene, type Caller, type Scene } from './scene.ts';

let t: TestApp;
let scene: Scene;
/** What a key must be good for, by the call as the OpenAPI document tells it. */
let scopes: ReadonlyMap<string, string>;
beforeAll(async () => {
  t = await testApp();
  scene = await setScene(t);
  scopes = await readScopes();
});
afterAll(() => t.close());

/** `METHOD /path` of every route of the API that the running app has; HEAD comes with GET. */
const routesOf = (app: TestApp['app']): string[] => {
  const path: string[] = [];
  const routes: string[] = [];
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', names = '', methods = ''] = /^([│ ]*)[├└]── (\S+) \((.*)\)$/.exec(line) ?? [];
    if (names === '') continue;
    path.length = indent.length / 4;
    path.push(names);
    for (const method of methods.split(', ')) routes.push(`${method} ${path.join('')}`);
  }
  return (
    routes
      .filter((route) => /^(?!HEAD )\S+ \/api\//.test(route))
      // `/admin/:email|:id` is two routes that differ in their method.
      .map((route) =>
        route.replace(/:(\w+)\|:(\w+)/, (_, first: string, second: string) =>
          route.startsWith('GET') ? `:${first}` : `:${second}`,
        ),
      )
  );
};

const personOf = (row: Row, caller: Caller): TestUser => {
  if (caller === 'none') return scene.buyer;
  if (caller === 'other') return row.other === 'buyer' ? scene.otherBuyer : scene.otherSeller;
  return scene[caller];
};

const isRole = (caller: Caller): caller is 'buyer' | 'seller' | 'admin' => /^(buyer|seller|admin)$/.test(caller);

const expectedOf = (row: Row, caller: Caller): number | undefined => {
  const [none, buyer, seller, admin, other] = row.statuses;
  const dead = row.dead ?? [none, none, none];
  return { none, buyer, seller, admin, other, deleted: dead[0], expired: dead[1], ended: dead[2] }[caller];
};

/** Makes the call of a row as somebody; a caller who may have done what cannot be undone is somebody fresh. */
const ask = async (row: Row, caller: Caller, key?: string) => {
  const fresh = row.fresh && (isRole(caller) || caller === 'other');
  const me = fresh ? await aUser(t, { roles: [isRole(caller) ? caller : row.other] }) : personOf(row, caller);
  const claimed = caller === 'other' ? scene[row.other].email : me.email;
  const sent = await row.send({ t, scene, me, claimed });
  const [method = '', pattern = ''] = row.call.split(' ');
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(sent.params?.[name] ?? ''));
  const query = new URLSearchParams(sent.query).toString();
  const answer = await t.send(method, query === '' ? path : `${path}?${query}`, {
    as: key === undefined ? credentialOf(caller, me) : { accessToken: key, cookie: undefined },
    headers: { ...sent.headers },
    ...(sent.body !== undefined && { body: sent.body }),
  });
  return { status: answer.statusCode, text: answer.body };
};

const shapeOf = (call: string): string => call.replaceAll(/:\w+|\{\w+\}/g, '{}');

const readScopes = async (): Promise<ReadonlyMap<string, string>> => {
  const { paths } = (await t.send('GET', '/api/openapi.json')).json<{
    paths: Record<string, Record<string, { security?: { key?: string[] }[] }>>;
  }>();
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { security = [] }]) =>
        security.flatMap(({ key = [] }) =>
          key.map((scope) => [shapeOf(`${method.toUpperCase()} ${path}`), scope] as const),
        ),
      ),
    ),
  );
};

/** What is different in every answer, whoever asks. */
const timeless = (text: string): string => text.replace(/"(requestId|challenge)":"[^"]*"/g, '"$1":""');

// Planted hole, seen failing here: a route at /api/forgotten that nobody wrote a row for.
test('the table has a row for every route of the API, and for no other', () => {
  const rows = ROWS.map(({ call }) => call);
  expect(new Set(rows).size).toBe(rows.length);
  expect(rows.toSorted()).toEqual(routesOf(t.app).toSorted());
});

describe.each(ROWS)('$call', (row) => {
  // Planted holes, seen failing here: listSellers without requireAdmin, listMyBookings without requireOwnAddress, a
  // deleted user's session that still counts as live, a search that shows contacts to anyone, and everybody's sales in
  // a statement.
  test('answers each caller as the table says, and the dead as no one', async () => {
    const answers = new Map<Caller, { status: number; text: string }>();
    // Those it does something for come last, so that what they use up was there for the others to be refused.
    const callers = CALLERS.filter((caller) => expectedOf(row, caller) !== undefined);
    const inOrder = callers.toSorted((a, b) => (expectedOf(row, b) ?? 0) - (expectedOf(row, a) ?? 0));
    for (const caller of inOrder) answers.set(caller, await ask(row, caller));
    const table = (of: (caller: Caller) => number | undefined) =>
      Object.fromEntries(callers.map((caller) => [caller, of(caller)]));
    expect(table((caller) => answers.get(caller)?.status)).toEqual(table((caller) => expectedOf(row, caller)));
    for (const [caller, { status, text }] of answers) {
      if (status === 401 || status === 403) expect(JSON.parse(text).error.code, caller).toMatch(/^[a-z_]+$/);
    }
    const { shows } = row;
    if (shows !== undefined) {
      const seeing = callers.filter((caller) => answers.get(caller)?.text.includes(shows.what(scene)));
      expect(seeing, shows.what(scene)).toEqual(callers.filter((caller) => shows.to.includes(caller)));
    }
    if (row.dead !== undefined || row.fresh) return;
    for (const caller of ['deleted', 'expired', 'ended'] as const) {
      expect(timeless(answers.get(caller)?.text ?? ''), caller).toBe(timeless(answers.get('none')?.text ?? ''));
    }
  });

  // Planted hole, seen failing here: a key that is looked at like a session.
  test('lets a key of a program do what it is good for alone', async () => {
    const scope = scopes.get(shapeOf(row.call));
    const isPublic = expectedOf(row, 'none') === expectedOf(row, 'other') || row.fresh;
    for (const one of SCOPES) {
      const status = (await ask(row, 'seller', await aKey(t, scene.seller, [one]))).status;
      if (one === scope) expect(status, one).toBe(expectedOf(row, 'seller'));
      else if (!isPublic) expect([401, 403], one).toContain(status);
      else expect([expectedOf(row, 'none'), 403], one).toContain(status);
    }
  });
});
