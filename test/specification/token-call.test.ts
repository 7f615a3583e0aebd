// The call that everything else depends on, by itself: nothing is set up here that needs a token.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp, type TestApp } from '#test/app.ts';
import { aBuyer, type TestUser } from '#test/make.ts';
import { callsOf } from './ask.ts';

let t: TestApp;
let buyer: TestUser;
let ask: ReturnType<typeof callsOf>['ask'];

beforeAll(async () => {
  t = await testApp();
  ({ ask } = callsOf(t));
  buyer = await aBuyer(t);
});
afterAll(() => t.close());

describe('GET /jwt?email=', () => {
  const path = (): string => `/jwt?email=${buyer.email}`;

  test('needs no token, but the session of that address', async () => {
    const answers = [await ask('GET', path()), await ask('GET', path(), { cookie: buyer.cookie })];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 200]);
  });

  test('answers an accessToken that proves who one is', async () => {
    const { accessToken } = (await ask('GET', path(), { cookie: buyer.cookie })).json();
    expect((await ask('GET', `/bookings?email=${buyer.email}`, { accessToken })).statusCode).toBe(200);
  });
});
