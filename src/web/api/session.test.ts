import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { testApp, type TestApp } from '#test/app.ts';
import { aBuyer, type TestUser } from '#test/make.ts';

let t: TestApp;
let buyer: TestUser;
let cookie: string;
const realFetch = globalThis.fetch;

beforeAll(async () => {
  t = await testApp();
  const shop = await t.listen();
  buyer = await aBuyer(t);
  vi.stubGlobal('document', { documentElement: { dataset: {} }, cookie: '' });
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined });
  vi.stubGlobal('fetch', (path: string, init: RequestInit) =>
    realFetch(`${shop}${path}`, { ...init, headers: { ...init.headers, cookie, origin: t.config.publicUrl } }),
  );
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await t.close();
});
beforeEach(() => vi.resetModules());

describe('who is signed in', () => {
  it('is loading at first and while the shop is asked', async () => {
    cookie = buyer.cookie;
    const { currentUser, sessionState } = await import('./session.ts');
    expect(sessionState()).toEqual({ status: 'loading' });
    const answer = currentUser();
    expect(sessionState()).toEqual({ status: 'loading' });
    await answer;
    expect(sessionState().status).not.toBe('loading');
  });

  it('is nobody where nobody is', async () => {
    cookie = '';
    const { currentUser, sessionState } = await import('./session.ts');
    expect(await currentUser()).toBeNull();
    expect(sessionState()).toEqual({ status: 'out' });
  });

  it('is the person whose session it is', async () => {
    cookie = buyer.cookie;
    const { currentUser, sessionState } = await import('./session.ts');
    expect((await currentUser())?.email).toBe(buyer.email);
    expect(sessionState()).toMatchObject({ status: 'in', user: { email: buyer.email } });
  });
});
