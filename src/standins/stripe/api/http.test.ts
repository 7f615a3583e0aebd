import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { STANDIN_SECRET_KEY } from '#standins/stripe/keys.ts';
import { aCard, aStandin } from '#standins/stripe/test-standin.ts';

function asServer(port: number, path: string, body: string, type = 'application/x-www-form-urlencoded') {
  const headers = { Authorization: `Bearer ${STANDIN_SECRET_KEY}`, 'Content-Type': type };
  return fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body });
}

test('every answer is closed to sniffing, framing and scripts', async () => {
  const { port } = await aStandin();
  for (const path of ['/', '/stripe.js', '/nothing', '/v1/payment_intents', '/v1/nothing', '//v1//x']) {
    const { headers } = await fetch(`http://127.0.0.1:${port}${path}`);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect(headers.has('access-control-allow-origin')).toBe(false);
  }
});

test('the page says what this is and shows payments without their secrets', async () => {
  const { port, stripe, confirm } = await aStandin();
  const intent = await stripe.paymentIntents.create({ amount: 4321, currency: 'usd', metadata: { note: 'n-private' } });
  const billing = { 'payment_method_data[billing_details][email]': 'reader@example.com' };
  await confirm(intent, { ...aCard('5555555555554444'), ...billing });
  const page = await (await fetch(`http://127.0.0.1:${port}/`)).text();
  expect(page).toContain('stand-in for Stripe, not Stripe');
  for (const shown of [intent.id, '43.21 USD', 'mastercard 4444', 'succeeded']) expect(page).toContain(shown);
  for (const hidden of [intent.client_secret ?? '?', 'n-private', 'reader@example.com'])
    expect(page).not.toContain(hidden);
});

test('unknown addresses and wrong forms are refused in Stripe’s shape', async () => {
  const { port } = await aStandin();
  const cases: [Response, number, RegExp][] = [
    [await asServer(port, '/v1/customers', 'a=b'), 404, /^Unrecognized request URL \(POST: \/v1\/customers\)/],
    [await asServer(port, '/v1/payment_intents', '{"amount":500}', 'application/json'), 400, /content type/],
    [await asServer(port, '/v1/payment_intents', 'amount=500&amount[a]=1&currency=usd'), 400, /Invalid object/],
    [await asServer(port, '/v1/payment_intents', `a${'[b]'.repeat(20)}=1`), 400, /too many parameters/],
    [await asServer(port, '/v1/payment_intents', `description=${'x'.repeat(300_000)}`), 413, /too large/],
  ];
  for (const [response, status, message] of cases) {
    expect(response.status).toBe(status);
    expect((await response.json()).error).toMatchObject({
      type: 'invalid_request_error',
      message: expect.stringMatching(message),
    });
  }
});

test('keys that mean something to JavaScript mean nothing here', async () => {
  const { port, stripe } = await aStandin();
  const body = 'amount=500&currency=usd&metadata[__proto__]=x&metadata[constructor]=y&metadata[toString]=z';
  const made = await (await asServer(port, '/v1/payment_intents', body)).json();
  expect(Object.entries(made.metadata)).toEqual(
    expect.arrayContaining([
      ['constructor', 'y'],
      ['toString', 'z'],
    ]),
  );
  expect((await asServer(port, '/v1/payment_intents', 'amount=500&currency=usd&__proto__[x]=1')).status).toBe(400);
  expect((await stripe.paymentIntents.retrieve(made.id)).amount).toBe(500);
  expect({}).not.toHaveProperty('x');
});

test('no form whatsoever makes it answer 500', async () => {
  const { port, log } = await aStandin();
  const word = fc.constantFrom(
    'amount',
    'currency',
    'usd',
    '500',
    'metadata',
    'expand',
    'confirm',
    'true',
    'card',
    'payment_method_data',
    '',
  );
  const text = fc.oneof(word, fc.string({ unit: 'binary', maxLength: 12 }));
  const key = fc
    .tuple(text, fc.array(text, { maxLength: 4 }))
    .map(([root, rest]) => root + rest.map((part) => `[${part}]`).join(''));
  const form = fc
    .array(fc.tuple(key, text), { maxLength: 8 })
    .map((pairs) =>
      pairs
        .map(
          ([name, value]) => `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`,
        )
        .join('&'),
    );
  const path = fc.constantFrom(
    'payment_intents',
    'payment_intents/x',
    'payment_intents/x/confirm',
    'payment_methods',
    'tokens',
    'refunds',
    '3ds2/challenge',
  );
  await fc.assert(
    fc.asyncProperty(path, form, async (where, body) => {
      const response = await asServer(port, `/v1/${where}`, body);
      await response.body?.cancel();
      return response.status < 500;
    }),
    { numRuns: 150 },
  );
  expect(log).toEqual([]);
});

test('a caller who hangs up half way does no harm', async () => {
  const { port, stripe } = await aStandin();
  for (const start of [
    'POST /v1/payment_intents HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\namount=',
    'GET \0 nonsense\r\n\r\n',
  ]) {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.on('error', () => {});
    socket.end(start);
    await once(socket.resume(), 'close');
  }
  expect((await stripe.paymentIntents.create({ amount: 500, currency: 'usd' })).amount).toBe(500);
});
