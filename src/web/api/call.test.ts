import { createServer, type RequestListener, type Server } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as account from '#contract/users/account.ts';
import * as admin from '#contract/admin/admin.ts';
import * as bookings from '#contract/bookings/bookings.ts';
import { bookCopy, listMyBookings } from '#contract/bookings/bookings.ts';
import * as catalog from '#contract/catalog/catalog.ts';
import { listCategories, listListings } from '#contract/catalog/catalog.ts';
import type { CallableSpec } from '#contract/endpoint.ts';
import * as identity from '#contract/users/identity.ts';
import { readSession, signIn } from '#contract/users/identity.ts';
import * as line from '#contract/bookings/waitlist.ts';
import * as mailLinks from '#contract/users/mail-links.ts';
import * as payments from '#contract/money/payments.ts';
import * as search from '#contract/catalog/search.ts';
import * as social from '#contract/users/social.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBookingDraft, aBuyer, aListing, aSeller, type TestUser } from '#test/make.ts';
import { anonymousApi } from './client.ts';
import { fetchTransport } from './fetch-transport.ts';

let t: TestApp;
let shop: string;
let buyer: TestUser;
const realFetch = globalThis.fetch;

beforeAll(async () => {
  t = await testApp();
  shop = await t.listen();
  buyer = await aBuyer(t);
});
afterAll(() => t.close());

/** What a browser adds around the code under test: a store, a document, cookies, and addresses relative to the shop. */
class Browser {
  readonly stored = new Map<string, string>();
  readonly dataset: Record<string, string> = {};
  readonly requests: string[] = [];
  cookie: string | undefined;
  offline = false;

  install(): void {
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => this.stored.get(key) ?? null,
      setItem: (key: string, value: string) => this.stored.set(key, value),
      removeItem: (key: string) => this.stored.delete(key),
    });
    // What scripts may read: the session's own cookie is none of it.
    const readable = new Map<string, string>();
    vi.stubGlobal('location', { protocol: 'http:' });
    vi.stubGlobal('document', {
      documentElement: { dataset: this.dataset },
      get cookie() {
        return [...readable].map(([name, value]) => `${name}=${value}`).join('; ');
      },
      set cookie(line: string) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (line.includes('Max-Age=0')) readable.delete(name);
        else readable.set(name, value);
      },
    });
    vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
      this.requests.push(`${init.method} ${path.split('?')[0]}`);
      if (this.offline) return Promise.reject(new TypeError('fetch failed'));
      const headers = new Headers(init.headers);
      if (this.cookie !== undefined) headers.set('cookie', this.cookie);
      headers.set('origin', t.config.publicUrl);
      return realFetch(`${shop}${path}`, { ...init, headers });
    });
  }
}

let browser: Browser;
beforeEach(() => {
  vi.resetModules();
  browser = new Browser();
  browser.install();
});
afterEach(() => vi.unstubAllGlobals());

const load = async () => ({ ...(await import('./call.ts')), ...(await import('./session.ts')) });

const signedIn = (user: TestUser): void => {
  browser.cookie = user.cookie;
  browser.stored.set('accessToken', user.accessToken);
};

/** A token as old as `secondsLeft` says; only its `exp` is ever read in the browser. */
const tokenWith = (secondsLeft: number): string => {
  const payload = Buffer.from(JSON.stringify({ exp: Math.floor(Date.now() / 1_000) + secondsLeft }));
  return `e30.${payload.toString('base64url')}.c2ln`;
};

const mine = () => ({ query: { email: buyer.email } });

describe('a call as somebody signed in', () => {
  it('sends the stored token', async () => {
    signedIn(buyer);
    const { call } = await load();
    expect(await call(listMyBookings, mine())).toEqual([]);
    expect(browser.requests).toEqual(['GET /api/bookings']);
  });

  it('renews a refused token quietly and repeats the call once', async () => {
    signedIn(buyer);
    browser.stored.set('accessToken', 'not.a.token');
    const { call } = await load();
    expect(await call(listMyBookings, mine())).toEqual([]);
    expect(browser.requests).toEqual([
      'GET /api/bookings',
      'GET /api/auth/session',
      'GET /api/jwt',
      'GET /api/bookings',
    ]);
    expect(browser.stored.get('accessToken')).toMatch(/^ey/);
  });

  it('renews a token that is about to run out before using it', async () => {
    signedIn(buyer);
    browser.stored.set('accessToken', tokenWith(20));
    const { call } = await load();
    await call(listMyBookings, mine());
    expect(browser.requests).toEqual(['GET /api/auth/session', 'GET /api/jwt', 'GET /api/bookings']);
  });

  it('shares one renewal between calls at the same time', async () => {
    signedIn(buyer);
    browser.stored.set('accessToken', tokenWith(-60));
    const { call } = await load();
    await Promise.all(Array.from({ length: 5 }, () => call(listMyBookings, mine())));
    expect(browser.requests.filter((request) => request === 'GET /api/jwt')).toHaveLength(1);
  });

  it('gives up after one renewal when nobody is signed in any more, and forgets the token', async () => {
    browser.stored.set('accessToken', tokenWith(600));
    const { call, sessionState } = await load();
    await expect(call(listMyBookings, mine())).rejects.toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(browser.requests).toEqual(['GET /api/bookings', 'GET /api/auth/session']);
    expect(browser.stored.has('accessToken')).toBe(false);
    expect(sessionState()).toEqual({ status: 'out' });
    expect(browser.dataset['session']).toBe('out');
  });

  it('does not take a wrong password for an old token', async () => {
    const { call } = await load();
    const body = { email: buyer.email, password: 'Wrong#Password' };
    await expect(call(signIn, { body })).rejects.toMatchObject({ status: 401, code: 'wrong_credentials' });
    expect(browser.requests).toEqual(['POST /api/auth/sign-in']);
  });

  it('sends the idempotency key, so that a repeated booking is one', async () => {
    signedIn(buyer);
    const listing = await aListing(t, await aSeller(t));
    const { call, newIdempotencyKey } = await load();
    const options = { idempotencyKey: newIdempotencyKey() };
    const body = aBookingDraft(buyer, listing);
    const [first, second] = [await call(bookCopy, { body }, options), await call(bookCopy, { body }, options)];
    expect(second).toEqual(first);
    const other = { body: { ...body, phone: '+1 555 0111' } };
    await expect(call(bookCopy, other, options)).rejects.toMatchObject({ status: 422, code: 'key_reused' });
  });
});

describe('the session', () => {
  it('is asked for once, and told to everybody who listens', async () => {
    signedIn(buyer);
    const { currentUser, subscribeToSession, sessionState } = await load();
    vi.stubGlobal('addEventListener', () => undefined);
    vi.stubGlobal('removeEventListener', () => undefined);
    let told = 0;
    const stop = subscribeToSession(() => (told += 1));
    const [one, two] = await Promise.all([currentUser(), currentUser()]);
    await currentUser();
    stop();
    expect([one?.email, two?.email, told]).toEqual([buyer.email, buyer.email, 1]);
    expect(browser.requests).toEqual(['GET /api/auth/session']);
    expect(sessionState()).toMatchObject({ status: 'in', user: { roles: ['buyer'] } });
    expect(browser.dataset['session']).toBe('in');
  });

  it('begins with a stored token and ends without one', async () => {
    const leaver = await aBuyer(t);
    browser.cookie = leaver.cookie;
    const { beginSession, call, endSession } = await load();
    const { user } = await call(readSession, {});
    if (user === null) throw new Error('nobody is signed in');
    await beginSession(user);
    expect([...browser.stored.keys()]).toEqual(['accessToken']);
    await endSession();
    expect([...browser.stored.keys()]).toEqual([]);
    expect((await call(readSession, {})).user).toBeNull();
  });

  it('is not begun anew by a token that was on its way when somebody signed out', async () => {
    const leaver = await aBuyer(t);
    browser.cookie = leaver.cookie;
    const { currentUser, endSession, renewToken, sessionState } = await load();
    await currentUser();
    const renewing = renewToken();
    while (!browser.requests.some((request) => request.includes('/api/jwt')))
      await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([endSession(), renewing.catch(() => undefined)]);
    expect(browser.stored.has('accessToken')).toBe(false);
    expect(sessionState()).toEqual({ status: 'out', asked: true });
  });

  it('is over here at once when the shop cannot be told, and at the shop as soon as somebody asks it again', async () => {
    const leaver = await aBuyer(t);
    signedIn(leaver);
    // What would be tried again in two seconds is not waited for here.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { currentUser, endSession, sessionState } = await load();
    await currentUser();
    browser.offline = true;
    expect(await endSession()).toBe(false);
    expect(sessionState()).toEqual({ status: 'out', asked: true });
    expect(browser.stored.has('accessToken')).toBe(false);
    // Another visit, while the browser still sends the cookie of the session.
    vi.resetModules();
    const later = await load();
    expect(await later.currentUser()).toBeNull();
    browser.offline = false;
    vi.resetModules();
    const reached = await load();
    expect(await reached.currentUser()).toBeNull();
    expect((await t.call(readSession, {}, { as: leaver })).body.user).toBeNull();
    expect(document.cookie).toBe('');
  });
});

describe('every call of the contract', () => {
  const modules = [identity, account, admin, bookings, catalog, payments, mailLinks, social, search, line];
  const specs = modules
    .flatMap((module) => Object.values(module) as unknown[])
    .filter((one): one is CallableSpec => typeof one === 'object' && one !== null && 'method' in one && 'path' in one);

  it('goes to the shop itself, below /api', async () => {
    expect(specs.length).toBeGreaterThan(50);
    const asked: string[] = [];
    const api = anonymousApi(fetchTransport());
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
      asked.push(`${init.method} ${url}`);
      return Promise.resolve(new Response('{}', { status: 503, headers: { 'content-type': 'application/json' } }));
    });
    for (const { path, ...spec } of specs) {
      const params = Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, 'x']));
      await expect(api.call({ ...spec, path } as never, { params } as never)).rejects.toMatchObject({ status: 503 });
    }
    const expected = specs.map(({ method, path }) => `${method} /api${path.replaceAll(/:\w+/g, 'x')}`);
    expect(asked).toEqual(expected);
  });
});

describe('an answer', () => {
  it('of a list comes with the cursor of its next page', async () => {
    const seller = await aSeller(t);
    for (const title of ['One', 'Two', 'Three']) await aListing(t, seller, { title });
    const { callPage } = await load();
    const first = await callPage(listListings, { query: { limit: '2' } });
    expect(first.rows).toHaveLength(2);
    const second = await callPage(listListings, { query: { limit: '2', cursor: first.next } });
    expect(second.rows[0]?._id).not.toBe(first.rows[0]?._id);
    let page = second;
    while (page.next !== undefined) page = await callPage(listListings, { query: { limit: '100', cursor: page.next } });
    expect(page.next).toBeUndefined();
  });

  it('that is a refusal says what is wrong, by field, and which request it was', async () => {
    const { call } = await load();
    const error = await call(signIn, { body: { email: 'x'.repeat(2_000), password: '' } }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toHaveProperty('name', 'ApiError');
    expect(error).toMatchObject({ status: 400, code: 'bad_request', fields: { email: expect.any(String) } });
    expect(error).toHaveProperty('requestId', expect.stringMatching(/^[0-9a-f-]{36}$/));
  });
});

describe('no answer', () => {
  const serve = async (listener: RequestListener): Promise<string> => {
    const server: Server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '';
  };
  const categoriesOf = (base: string, timeoutMs?: number) =>
    anonymousApi(fetchTransport(base, timeoutMs)).call(listCategories, {});

  beforeEach(() => vi.stubGlobal('fetch', realFetch));

  it('because nothing listens is a sentence about the connection', async () => {
    const error = { status: 0, code: 'offline', message: expect.stringContaining('cannot be reached') };
    await expect(categoriesOf('http://127.0.0.1:1')).rejects.toMatchObject(error);
  });

  it('in time is a sentence about time', async () => {
    const base = await serve(() => undefined);
    const error = { status: 0, code: 'timeout', message: expect.stringContaining('in time') };
    await expect(categoriesOf(base, 50)).rejects.toMatchObject(error);
  });

  it('is waited for 15 seconds', async () => {
    const base = await serve((_request, response) => response.writeHead(200).end('[]'));
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    onTestFinished(() => timeout.mockRestore());
    await categoriesOf(base);
    expect(timeout.mock.calls).toEqual([[15_000]]);
  });

  it('of ours, but a page of something in between, is not read as one', async () => {
    const base = await serve((_request, response) => response.writeHead(200).end('<h1>Welcome to the hotel</h1>'));
    await expect(categoriesOf(base)).rejects.toMatchObject({ status: 200, code: 'unreadable' });
    const broken = await serve((_request, response) => response.writeHead(503, { 'retry-after': '7' }).end('<html>'));
    const error = { status: 503, retryAfterSeconds: 7, message: expect.stringContaining('short break') };
    await expect(categoriesOf(broken)).rejects.toMatchObject(error);
  });

  it('because the page was left is passed on as it is', async () => {
    const base = await serve(() => undefined);
    const stop = new AbortController();
    const answer = anonymousApi(fetchTransport(base)).call(listCategories, {}, { signal: stop.signal });
    stop.abort();
    await expect(answer).rejects.toHaveProperty('name', 'AbortError');
  });
});
