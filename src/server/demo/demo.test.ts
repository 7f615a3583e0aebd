import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listMyBookings } from '#contract/bookings/bookings.ts';
import { CLOCK_AHEAD_HEADER } from '#contract/demo.ts';
import { signIn } from '#contract/users/identity.ts';
import { releaseLapsedHolds } from '#server/payments/settlement/release.service.ts';
import { readShopClock } from '#server/platform/postgres/clock.ts';
import { markShop } from '#server/platform/postgres/shop-mark.ts';
import { STANDIN_SECRET_KEY } from '#standins/stripe/keys.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aDeal, copyOf, failing } from '#test/deal.ts';
import { anAdmin } from '#test/make.ts';
import { PRODUCTION } from '#test/production.ts';

const CLOCK = '/standins/clock';
const [HOUR_MS, DAY_SECONDS] = [3_600_000, 86_400];

describe('in a demo', () => {
  let t: TestApp;
  beforeEach(async () => {
    t = await testApp();
    await markShop(t.db, true);
  });
  afterEach(() => t.close());

  const move = (body: unknown) => t.send('POST', CLOCK, { body });

  test('the clock tells the time in the shop, moves forward for anybody, and holds end by it', async () => {
    const deal = await aDeal(t);
    const before = (await t.send('GET', CLOCK)).json();
    expect(before.aheadSeconds).toBe(0);
    expect(Math.abs(Date.parse(before.now) - Date.now())).toBeLessThan(HOUR_MS / 60);
    const moved = await move({ advanceHours: 14 * 24 });
    expect(moved.statusCode).toBe(200);
    expect(moved.headers['cache-control']).toBe('no-store');
    expect(moved.json().aheadSeconds).toBe(14 * DAY_SECONDS);
    expect(Date.parse(moved.json().now) - Date.parse(before.now)).toBeGreaterThanOrEqual(14 * 24 * HOUR_MS);
    expect((await move({ advanceHours: 1.5 })).json().aheadSeconds).toBe(14 * DAY_SECONDS + 5_400);
    expect((await t.send('GET', CLOCK)).json().aheadSeconds).toBe(14 * DAY_SECONDS + 5_400);
    await releaseLapsedHolds(t.payments, failing);
    expect((await copyOf(t, deal)).status).toBe('Available');
  });

  test('the stand-in is told, as its money moves by the clock of the shop', async () => {
    const at = async () => {
      const headers = { Authorization: `Bearer ${STANDIN_SECRET_KEY}` };
      // It never goes back.
      const body = '{"aheadSeconds":0}';
      return (await fetch(new URL('clock', t.standinUrl), { method: 'POST', headers, body })).json();
    };
    expect(await at()).toEqual({ aheadSeconds: 0 });
    await move({ advanceHours: 24 });
    expect(await at()).toEqual({ aheadSeconds: DAY_SECONDS });
    // A shop whose stand-in does not answer moves its clock all the same.
    await t.standin.close();
    expect((await move({ advanceHours: 24 })).statusCode).toBe(200);
  });

  const BAD = [{}, 0, 0.5, -3, 8_761, '24', null, [24], true];

  test('the clock is not moved by what is no number of hours up to a year', async () => {
    for (const advanceHours of BAD) {
      const answer = await move({ advanceHours });
      expect(answer.statusCode, JSON.stringify(advanceHours)).toBe(400);
      expect(answer.json().error.fields).toHaveProperty('advanceHours');
    }
    for (const body of [{}, [], null, undefined]) expect((await move(body)).statusCode).toBe(400);
    expect((await readShopClock(t.db)).aheadSeconds).toBe(0);
  });

  test('the clock is not moved by another site, nor beyond a century', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect((await t.send('POST', CLOCK, { body: { advanceHours: 1 }, headers })).statusCode).toBe(403);
    const origin = { origin: 'https://evil.example' };
    expect((await t.send('POST', CLOCK, { body: { advanceHours: 1 }, headers: origin })).statusCode).toBe(403);
    const form = { 'content-type': 'text/plain' };
    expect((await t.send('POST', CLOCK, { body: '{"advanceHours":1}', headers: form })).statusCode).toBe(415);
    await t.db.updateTable('shop_clock').set({ ahead_seconds: '3155750000' }).execute();
    const refused = await move({ advanceHours: 24 });
    expect(refused.statusCode).toBe(400);
    expect(refused.json().error.fields.advanceHours).toContain('npm run reset');
  });

  test("answers for one user say how far the clock is ahead, once it is, and everybody's do not", async () => {
    const { buyer } = await aDeal(t);
    const mine = () => t.call(listMyBookings, { query: { email: buyer.email } }, { as: buyer });
    expect((await mine()).headers).not.toHaveProperty(CLOCK_AHEAD_HEADER);
    await move({ advanceHours: 24 });
    const { headers, body } = await mine();
    expect(headers[CLOCK_AHEAD_HEADER]).toBe(String(DAY_SECONDS));
    expect(body).toMatchObject([{ hold: 'lapsed' }]);
    for (const url of ['/api/categories', '/api/categoryName'])
      expect((await t.send('GET', url)).headers).not.toHaveProperty(CLOCK_AHEAD_HEADER);
  });

  test('anybody may sign in as its people, who are told with their passwords and nothing more', async () => {
    const answer = await t.send('GET', '/standins/people');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json().map(Object.keys)).toEqual(Array(3).fill(['label', 'email', 'password']));
    expect(answer.json().map(({ label }: { label: string }) => label)).toEqual(['Buyer', 'Seller', 'Admin']);
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect((await t.send('GET', '/standins/people', { headers })).statusCode).toBe(403);
  });
});

describe('in production', () => {
  let t: TestApp;
  beforeAll(async () => {
    // What a demo may be told besides changes nothing here.
    t = await testApp({
      web: true,
      env: { ...PRODUCTION, DOGEAR_CRASH_AT: 'none', STANDINS_URL: 'http://127.0.0.1:1' },
    });
  });
  afterAll(() => t.close());

  test('nobody moves the clock or is told of people, and no page speaks of it', async () => {
    const admin = await anAdmin(t);
    for (const as of [undefined, admin]) {
      for (const [method, url] of [
        ['GET', CLOCK],
        ['POST', CLOCK],
        ['GET', '/standins/people'],
      ] as const) {
        const answer = await t.send(method, url, { as, ...(method === 'POST' && { body: { advanceHours: 24 } }) });
        expect(answer.statusCode, `${method} ${url}`).toBe(404);
        expect(answer.body).not.toContain('#2026');
      }
    }
    expect((await readShopClock(t.db)).aheadSeconds).toBe(0);
    const page = await t.send('GET', '/login');
    expect(page.statusCode).toBe(200);
    expect(page.body).not.toMatch(/demo shop|Demo (Buyer|Seller|Admin)/);
    const refused = await t.call(signIn, { body: { email: 'buyer@example.com', password: 'Buyer#2026' } });
    expect(refused.status).toBe(401);
  });
});
