import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addPasskey,
  changePassword,
  editAccount,
  passkeyToAdd,
  passkeyToConfirm,
  renewRecoveryCodes,
  reauthenticate,
  signInWithPasskey,
} from '#contract/users/account.ts';
import { bookCopy } from '#contract/bookings/bookings.ts';
import { editListing, offerListing } from '#contract/catalog/catalog.ts';
import { saveProfile, signIn } from '#contract/users/identity.ts';
import { joinWaitlist } from '#contract/bookings/waitlist.ts';
import { confirmAddress, resetPassword } from '#contract/users/mail-links.ts';
import { reportThing } from '#contract/admin/reports.ts';
import { declare } from '#contract/law/declaration.ts';
import { writeNote } from '#contract/messages/notes.ts';
import { askSeller, writeInThread } from '#contract/messages/threads.ts';
import { createPaymentIntent, recordPayment } from '#contract/money/payments.ts';
import { searchListings, suggestSearches } from '#contract/catalog/search.ts';
import { countHere } from '#server/http/rate-limits.ts';
import { testApp, type TestApp, type TestAnswer } from '#test/app.ts';
import { aDraft, aUser, type TestUser } from '#test/make.ts';
import { PRODUCTION } from '#test/production.ts';

let t: TestApp;
let person: TestUser;
beforeAll(async () => {
  t = await testApp({ env: PRODUCTION });
  person = await aUser(t, { roles: ['buyer', 'seller'] });
});
afterAll(() => t.close());

const A_TOKEN = 'x'.repeat(43);
const A_PASSKEY = {
  id: 'x',
  rawId: 'x',
  type: 'public-key',
  response: { authenticatorData: 'x', clientDataJSON: 'x', signature: 'x' },
} as const;

const nextAddress = (
  (place = 0) =>
  () =>
    `198.51.100.${(place += 1)}`
)();

/** Calls until the first 429; answers how many were let through, and the refusal. */
const upToRefusal = async (
  most: number,
  call: (place: number) => Promise<TestAnswer<unknown>>,
): Promise<{ allowed: number; refused: TestAnswer<unknown> | undefined }> => {
  for (let allowed = 0; allowed <= most; allowed += 1) {
    const answer = await call(allowed);
    if (answer.status === 429) return { allowed, refused: answer };
  }
  return { allowed: most + 1, refused: undefined };
};

const book = (ip: string, as: TestUser | undefined = person) =>
  t.call(
    bookCopy,
    {
      body: {
        listingId: randomUUID(),
        title: 'Nothing',
        buyer: 'Nobody',
        email: person.email,
        image_url: '',
        phone: '',
        price: 7.5,
        location: '',
      },
    },
    { as, ip },
  );

/** Each costly call of one account, from an address that changes with every call. */
const ACCOUNT_CALLS = [
  ['POST /bookings', 60, () => book(nextAddress())],
  [
    'POST /create-payment-intent',
    60,
    () =>
      t.call(createPaymentIntent, { body: { price: 7.5, bookingId: randomUUID() } }, { as: person, ip: nextAddress() }),
  ],
  [
    'POST /payments',
    120,
    () =>
      t.call(
        recordPayment,
        { body: { price: 7.5, transactionId: 'pi_x', email: person.email, bookingId: randomUUID() } },
        { as: person, ip: nextAddress() },
      ),
  ],
  [
    'PATCH /account',
    60,
    (place: number) => t.call(editAccount, { body: { name: `Ada ${place % 2}` } }, { as: person, ip: nextAddress() }),
  ],
  [
    'PUT /account/password',
    10,
    () => t.call(changePassword, { body: { current: 'x', password: 'short' } }, { as: person, ip: nextAddress() }),
  ],
  [
    'POST /orders/{id}/notes',
    30,
    () =>
      t.call(writeNote, { params: { id: randomUUID() }, body: { text: 'Hello' } }, { as: person, ip: nextAddress() }),
  ],
  ['POST /auth/again', 30, () => t.call(reauthenticate, { body: {} }, { as: person, ip: nextAddress() })],
  ['POST /auth/again/options', 30, () => t.call(passkeyToConfirm, {}, { as: person, ip: nextAddress() })],
  ['POST /account/passkeys/options', 30, () => t.call(passkeyToAdd, {}, { as: person, ip: nextAddress() })],
  [
    'POST /account/passkeys',
    30,
    () =>
      t.call(
        addPasskey,
        {
          body: {
            name: 'Key',
            passkey: {
              id: 'x',
              rawId: 'x',
              type: 'public-key',
              response: { clientDataJSON: 'x', attestationObject: 'x' },
              clientExtensionResults: {},
            } as never,
          },
        },
        { as: person, ip: nextAddress() },
      ),
  ],
  ['POST /account/recovery_codes', 30, () => t.call(renewRecoveryCodes, {}, { as: person, ip: nextAddress() })],
  [
    'POST /users',
    120,
    (place: number) =>
      t.call(
        saveProfile,
        { body: { name: `Ada ${place % 2}`, email: person.email } },
        { as: person, ip: nextAddress() },
      ),
  ],
  [
    'PUT /categories/:id/line',
    120,
    () => t.call(joinWaitlist, { params: { id: randomUUID() } }, { as: person, ip: nextAddress() }),
  ],
  // Each is a mail to somebody.
  [
    'POST /listings/:id/messages',
    20,
    () =>
      t.call(
        askSeller,
        { params: { id: randomUUID() }, body: { text: 'Is it still there?' } },
        { as: person, ip: nextAddress() },
      ),
  ],
  [
    'POST /threads/:id/messages',
    120,
    () =>
      t.call(
        writeInThread,
        { params: { id: randomUUID() }, body: { text: 'Hello' } },
        { as: person, ip: nextAddress() },
      ),
  ],
  [
    'POST /reports',
    30,
    () =>
      t.call(
        reportThing,
        { body: { kind: 'copy', id: randomUUID(), reason: 'fraud', words: '' } },
        { as: person, ip: nextAddress() },
      ),
  ],
  [
    'PUT /declaration',
    60,
    () => t.call(declare, { body: { kind: 'private', adult: false, terms: '' } }, { as: person, ip: nextAddress() }),
  ],
  [
    'POST /categories',
    500,
    () => t.call(offerListing, { body: aDraft(person, 'no-such-category', {}) }, { as: person, ip: nextAddress() }),
  ],
  [
    'PATCH /categories/:id',
    500,
    () => t.call(editListing, { params: { id: randomUUID() }, body: {} }, { as: person, ip: nextAddress() }),
  ],
] as const;

describe('calls that cost much are limited for each account, wherever it calls from', () => {
  test.each(ACCOUNT_CALLS)('%s: %i in an hour', async (_name, calls, call) => {
    const { allowed, refused } = await upToRefusal(calls, call);
    expect(allowed).toBe(calls);
    expect(refused?.body.error?.code).toBe('too_many');
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(3_500);
    expect(Number(refused?.headers['retry-after'])).toBeLessThanOrEqual(3_600);
  });
});

describe('and for each network, whoever calls', () => {
  test('POST /auth/sign-in: 100 in a quarter of an hour, whatever address is tried', async () => {
    const ip = nextAddress();
    const attempt = (place: number) =>
      t.call(signIn, { body: { email: `nobody${place}@example.com`, password: 'Wrong#Horse' } }, { ip });
    const { allowed, refused } = await upToRefusal(100, attempt);
    expect(allowed).toBe(100);
    expect(Number(refused?.headers['retry-after'])).toBeLessThanOrEqual(900);
    const elsewhere = await t.call(
      signIn,
      { body: { email: person.email, password: 'Wrong#Horse' } },
      { ip: nextAddress() },
    );
    expect(elsewhere.status).toBe(401);
  });

  test.each([
    ['POST /auth/passkey', 100, (ip: string) => t.call(signInWithPasskey, { body: { passkey: A_PASSKEY } }, { ip })],
    [
      'POST /auth/reset',
      60,
      (ip: string) => t.call(resetPassword, { body: { token: A_TOKEN, password: 'Wrong#Horse' } }, { ip }),
    ],
    [
      'POST /reports of visitors',
      60,
      (ip: string) =>
        t.call(reportThing, { body: { kind: 'copy', id: randomUUID(), reason: 'fraud', words: '' } }, { ip }),
    ],
    ['POST /auth/confirm', 120, (ip: string) => t.call(confirmAddress, { body: { token: A_TOKEN } }, { ip })],
  ] as const)('%s: %i', async (_name, calls, call) => {
    const ip = nextAddress();
    expect((await upToRefusal(calls, () => call(ip))).allowed).toBe(calls);
  });

  test('GET /search: 120 a minute, and GET /search/suggestions: 300', async () => {
    const ip = nextAddress();
    const searches = await upToRefusal(120, (place) =>
      t.call(searchListings, { query: { q: `word${place}` } }, { ip }),
    );
    expect(searches.allowed).toBe(120);
    expect(Number(searches.refused?.headers['retry-after'])).toBeLessThanOrEqual(60);
    const suggestions = await upToRefusal(300, (place) =>
      t.call(suggestSearches, { query: { q: `wo${place}` } }, { ip }),
    );
    expect(suggestions.allowed).toBe(300);
    expect((await t.call(searchListings, { query: { q: 'word' } }, { ip: nextAddress() })).status).toBe(200);
  });
});

test('two processes count what is in the database together, and never let more through', async () => {
  const other = await testApp({ env: PRODUCTION, beside: t });
  try {
    const ip = nextAddress();
    const body = { email: 'nobody@example.org', password: 'Wrong#Horse' };
    const answers: TestAnswer<unknown>[] = [];
    // As many at once as one network may have hashed.
    for (let from = 0; from < 130; from += 26) {
      const crowd = Array.from({ length: 26 }, (_, n) =>
        (n % 2 === 0 ? t : other).call(signIn, { body: { ...body, email: `n${from + n}@example.org` } }, { ip }),
      );
      answers.push(...(await Promise.all(crowd)));
    }
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(100);
    // On a machine that has more to do, some are told that the shop is busy.
    const others = answers.filter(({ status }) => status !== 401).map(({ status }) => status);
    expect(others.filter((status) => status !== 429 && status !== 503)).toEqual([]);
    expect(others).toContain(429);
  } finally {
    await other.close();
  }
});

test('two workers share what each counts by itself: together they let through what one would', async () => {
  const ip = nextAddress();
  const first = await testApp({ env: { ...PRODUCTION, WORKERS: '2' } });
  const second = await testApp({ env: { ...PRODUCTION, WORKERS: '2' }, beside: first });
  try {
    const allowed = await Promise.all(
      [first, second].map((worker) =>
        upToRefusal(120, (place) => worker.call(searchListings, { query: { q: `word${place}` } }, { ip })),
      ),
    );
    expect(allowed.map((one) => one.allowed)).toEqual([60, 60]);
    const suggested = await upToRefusal(300, (place) =>
      first.call(suggestSearches, { query: { q: `wo${place}` } }, { ip }),
    );
    expect(suggested.allowed).toBe(150);
  } finally {
    await second.close();
    await first.close();
  }
});

test('what a process counts by itself begins anew with each window, for each client', async () => {
  const count = countHere();
  const taken = (subject: string) => count(subject, { calls: 2, windowSeconds: 1 });
  expect(['a', 'a', 'a', 'b'].map((subject) => taken(subject).allowed)).toEqual([true, true, false, true]);
  expect(taken('a')).toEqual({ allowed: false, retryAfterSeconds: 1 });
  await expect.poll(() => taken('a').allowed, { timeout: 3_000 }).toBe(true);
});
