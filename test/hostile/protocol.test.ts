import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHttpApp } from '#server/http/api.ts';
import { createResponseCache } from '#server/http/cache/response-cache.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { exchange, rawClient, statusesIn, type RawClient } from './socket.ts';

const long = process.env['DOGEAR_TEST_LONG'] === '1';
const IDLE = long ? 10_000 : 500;
const IDLE_CLIENTS = path.join(import.meta.dirname, 'idle-clients.ts');
/** Short, so that nobody waits for what takes half a minute in the shop. */
const SHORT_MS = 300;

let t: TestApp;
let url: string;
let host: string;
beforeAll(async () => {
  t = await testApp();
  url = await t.listen();
  host = new URL(url).host;
});
afterAll(() => t.close());

const stillAnswers = async (): Promise<void> => {
  expect((await fetch(`${url}/api/categoryName`)).status).toBe(200);
};

const post = (headers: string[], body: string): string =>
  ['POST /api/auth/sign-in HTTP/1.1', `Host: ${host}`, 'Content-Type: application/json', ...headers, '', body].join(
    '\r\n',
  );

/** What is no request, and what could be read as two different ones. */
const BROKEN: readonly (readonly [string, () => string])[] = [
  ['a line that is no request', () => 'hello\r\n\r\n'],
  ['another protocol', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['a length and chunks', () => post(['Content-Length: 4', 'Transfer-Encoding: chunked'], '0\r\n\r\n')],
  ['chunks and a length', () => post(['Transfer-Encoding: chunked', 'Content-Length: 4'], '0\r\n\r\n')],
  ['two lengths', () => post(['Content-Length: 2', 'Content-Length: 3'], '{}x')],
  ['two lengths in one', () => post(['Content-Length: 2, 3'], '{}x')],
  ['a length with a sign', () => post(['Content-Length: +2'], '{}')],
  ['a length below zero', () => post(['Content-Length: -1'], '{}')],
  ['chunks that are not the last coding', () => post(['Transfer-Encoding: chunked, identity'], '0\r\n\r\n')],
  ['a chunk without a size', () => post(['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n')],
  [
    'a header that goes on in the next line',
    () => `GET /api/categoryName HTTP/1.1\r\nHost: ${host}\r\nX-A: 1\r\n b\r\n\r\n`,
  ],
  ['a space before the colon', () => `GET /api/categoryName HTTP/1.1\r\nHost: ${host}\r\nX-A : 1\r\n\r\n`],
  ['a zero byte in a header', () => `GET /api/categoryName HTTP/1.1\r\nHost: ${host}\r\nX-A: a\0b\r\n\r\n`],
  ['line ends without a return', () => `GET /api/categoryName HTTP/1.1\nHost: ${host}\n\n`],
  ['no host', () => 'GET /api/categoryName HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['a version there is not', () => `GET / HTTP/9.9\r\nHost: ${host}\r\n\r\n`],
  ['an expectation', () => `GET / HTTP/1.1\r\nHost: ${host}\r\nExpect: wonders\r\n\r\n`],
  ['headers without end', () => `GET / HTTP/1.1\r\nHost: ${host}\r\n${`X-A: ${'a'.repeat(1_000)}\r\n`.repeat(40)}\r\n`],
];

describe('what cannot be read as one request', () => {
  test.each(BROKEN)('%s is refused with all headers, and the connection closed', async (_name, bytes) => {
    const answer = await exchange(url, bytes());
    expect(statusesIn(answer)).toEqual([expect.toSatisfy((status: number) => [400, 417, 431].includes(status))]);
    for (const line of [
      'x-content-type-options: nosniff',
      "content-security-policy: default-src 'none'",
      'x-frame-options: DENY',
    ]) {
      expect(answer).toContain(line);
    }
    expect(answer).toMatch(/"error":\{"code":"(bad_request|too_large)"/);
    await stillAnswers();
  });

  test('is answered so on https with HSTS, also where public answers are cached', async () => {
    const logger = { level: 'silent' };
    const credentials = {
      viewerOfAccessToken: () => Promise.reject(new Error()),
      viewerOfKey: () => Promise.reject(new Error()),
      viewerOfSessionToken: () => Promise.reject(new Error()),
    };
    const app = await createHttpApp({
      credentials,
      cookieRules: { https: true, origins: [] },
      publicUrl: 'https://books.example',
      trustProxy: undefined,
      readPublic: () => Promise.reject(new Error()),
      logger,
      limits: {
        countTogether: () => Promise.resolve({ allowed: true, retryAfterSeconds: 1 }),
        networkOf: String,
        patience: 1,
        workers: 1,
      },
      publicCache: {
        cache: createResponseCache({ maxBytes: 1_000, isCurrent: () => true }),
        tagsOf: () => ['everything'],
      },
    });
    const address = await app.listen({ port: 0, host: '127.0.0.1' });
    for (const [, bytes] of BROKEN) {
      expect(await exchange(address, bytes())).toContain(
        'strict-transport-security: max-age=63072000; includeSubDomains',
      );
    }
    await app.close();
  });
});

describe('a connection that is used in an unusual way', () => {
  test('gets the answers to twenty requests sent at once, in their order', async () => {
    const asked = Array.from({ length: 20 }, (_, place) => (place % 2 === 0 ? '/api/categoryName' : '/api/nothing'));
    const requests = asked.map(
      (path, place) =>
        `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${place === asked.length - 1 ? 'Connection: close\r\n' : ''}\r\n`,
    );
    const statuses = statusesIn(await exchange(url, requests.join('')));
    expect(statuses).toEqual(asked.map((path) => (path === '/api/nothing' ? 404 : 200)));
  });

  test('asks for no more than that before it has read: the connection ends', async () => {
    for (const path of ['/api/categoryName', '/api/nothing']) {
      const answers = await exchange(url, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(200));
      expect(statusesIn(answers).length).toBeLessThanOrEqual(20);
    }
    await stillAnswers();
  });

  test('asks for as much as it likes, one after the other', async () => {
    const client = await rawClient(url);
    for (let asked = 1; asked <= 30; asked += 1) {
      client.write(`GET /api/nothing HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      while (statusesIn(client.received()).length < asked) await once(client.socket, 'data');
    }
    client.end();
  });

  test('does not have a second request smuggled into the body of the first', async () => {
    const inner = `DELETE /api/account HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    const answer = await exchange(url, post([`Content-Length: ${inner.length}`, 'Connection: close'], inner));
    expect(statusesIn(answer)).toEqual([400]);
  });

  test.each(['TRACE', 'CONNECT', 'PROPFIND'])('is told nothing by %s', async (method) => {
    const answer = await exchange(
      url,
      `${method} /api/categoryName HTTP/1.1\r\nHost: ${host}\r\nX-Canary: c4n4ry\r\nConnection: close\r\n\r\n`,
    );
    expect(statusesIn(answer).every((status) => status >= 400)).toBe(true);
    expect(answer).not.toContain('c4n4ry');
    await stillAnswers();
  });

  test('is not upgraded to anything', async () => {
    const headers =
      'Connection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==';
    const client = await rawClient(url);
    client.write(`GET /api/categoryName HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n\r\n`);
    await expect.poll(() => statusesIn(client.received())).toEqual([200]);
    client.end();
  });
});

describe('somebody slow', () => {
  let slow: TestApp;
  let at: string;
  beforeAll(async () => {
    slow = await testApp();
    slow.app.server.headersTimeout = SHORT_MS;
    slow.app.server.requestTimeout = SHORT_MS * 2;
    at = await slow.listen();
  });
  afterAll(() => slow.close());

  const drip = (client: RawClient, letter: string): NodeJS.Timeout =>
    setInterval(() => client.socket.writable && client.write(letter), 20);

  test('with the headers is told so and cut off, and holds nobody else up', async () => {
    const clients = await Promise.all(Array.from({ length: 50 }, () => rawClient(at)));
    for (const client of clients) client.write(`GET /api/categoryName HTTP/1.1\r\nHost: ${host}\r\nX-A: `);
    const dripping = clients.map((client) => drip(client, 'a'));
    expect((await fetch(`${at}/api/categoryName`)).status).toBe(200);
    const answers = await Promise.all(clients.map(({ closed }) => closed));
    dripping.forEach(clearInterval);
    expect(new Set(answers.flatMap(statusesIn))).toEqual(new Set([408]));
    expect(answers[0]).toContain('x-content-type-options: nosniff');
  });

  test('with the body is cut off, and holds nobody else up', async () => {
    const clients = await Promise.all(Array.from({ length: 50 }, () => rawClient(at)));
    for (const client of clients) client.write(post(['Content-Length: 1000'], '{'));
    const dripping = clients.map((client) => drip(client, ' '));
    expect((await fetch(`${at}/api/categoryName`)).status).toBe(200);
    const answers = await Promise.all(clients.map(({ closed }) => closed));
    dripping.forEach(clearInterval);
    expect(answers.flatMap(statusesIn).every((status) => status === 408)).toBe(true);
  });

  test('who says nothing at all is cut off', async () => {
    const client = await rawClient(at);
    await client.closed;
  });

  test('with reading holds nobody else up', async () => {
    const clients = await Promise.all(Array.from({ length: 50 }, () => rawClient(at)));
    for (const { socket, write } of clients) {
      socket.pause();
      write(`GET /api/openapi.json HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(20));
    }
    expect((await fetch(`${at}/api/categoryName`)).status).toBe(200);
    for (const client of clients) client.end();
  });

  test('with reading is cut off once nothing moves any more', async () => {
    const { server } = slow.app;
    expect(server.timeout).toBe(60_000);
    const accepted: Socket[] = [];
    server.on('connection', (socket) => accepted.push(socket));
    const client = await rawClient(at);
    // What was sent last may still be unread when it is cut off: then the system says so by a reset.
    client.socket.on('error', () => {});
    // The first answer says that it was accepted.
    client.write(`GET /api/nothing HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await once(client.socket, 'data');
    // Not before, when the shop may still be busy with those of the test above; it holds from the next request on.
    server.timeout = SHORT_MS;
    const connection = accepted.find(({ remotePort }) => remotePort === client.socket.localPort);
    client.socket.pause();
    const closed = new Promise((resolve) => connection?.once('close', resolve));
    const ask = (): void => client.write(`GET /api/openapi.json HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    // One after the other, until the system takes no more of them in between the two.
    server.on('request', ({ socket }, response) => {
      if (socket === connection) response.once('finish', ask);
    });
    ask();
    await closed;
    client.end();
  });
});

test('thousands of idle connections leave the shop answering', async () => {
  // They are all to be there at once; that each is cut off in time is seen above.
  t.app.server.headersTimeout = 120_000;
  const clients = spawn(process.execPath, [IDLE_CLIENTS, url, String(IDLE)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const open = (): Promise<number> =>
    new Promise((resolve) => t.app.server.getConnections((_error, count) => resolve(count)));
  try {
    await once(clients.stdout, 'data');
    await expect.poll(open).toBeGreaterThanOrEqual(IDLE);
    await stillAnswers();
  } finally {
    clients.kill();
    await once(clients, 'exit');
  }
  await expect.poll(open).toBeLessThan(10);
}, 120_000);
