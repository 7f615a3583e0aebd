import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createWebServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createListener, type AddressInfo, type Server as Listener } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fetchPicture, MAX_FETCHED_BYTES, type FetchOptions } from './fetch-picture.ts';
import { isPublicAddress } from '#server/platform/outside/public-address.ts';

const pem = (name: string): string =>
  readFileSync(path.join(import.meta.dirname, '../../../../../test/tls', name), 'utf8');

/** A picture's host, on an address of this machine that the tests alone declare to be of the internet. */
const OUTSIDE = '127.0.0.2';
const PICTURE = Buffer.from('bytes of a picture');

let outside: Server;
let port: number;
let asked: { path: string; headers: IncomingMessage['headers'] }[] = [];
/** They listen on the picture's port where nothing of the shop may ever connect to. */
let canaries: Listener[] = [];
let hits = 0;

const answers: Record<string, (answer: ServerResponse, url: URL) => void> = {
  '/ok': (answer) => void answer.end(PICTURE),
  '/to': (answer, url) => void answer.writeHead(302, { location: url.searchParams.get('at') ?? '' }).end(),
  '/on': (answer, url) => {
    const left = Number(url.searchParams.get('left'));
    answer.writeHead(307, { location: left === 0 ? '/ok' : `/on?left=${left - 1}` }).end();
  },
  '/gone': (answer) => void answer.writeHead(404).end('gone'),
  '/away': (answer) => void answer.writeHead(503).end(),
  '/large': (answer) => {
    answer.on('error', () => {});
    const more = (): void => {
      while (answer.write(Buffer.alloc(65_536)));
      answer.once('drain', more);
    };
    more();
  },
  '/said-large': (answer) => {
    answer.writeHead(200, { 'content-length': MAX_FETCHED_BYTES + 1 });
    answer.write('x');
  },
  '/most': (answer) => void answer.end(Buffer.alloc(MAX_FETCHED_BYTES)),
  '/cut': (answer) => {
    answer.writeHead(200, { 'content-length': 100 });
    answer.write('half', () => answer.destroy());
  },
  '/packed': (answer) => void answer.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
  '/drips': (answer) => {
    const drip = setInterval(() => answer.write('x'), 100);
    answer.on('close', () => clearInterval(drip));
  },
};

beforeAll(async () => {
  outside = createWebServer({ key: pem('key.pem'), cert: pem('cert.pem') }, (request, answer) => {
    const url = new URL(request.url ?? '', 'https://pictures.example');
    asked.push({ path: url.pathname, headers: request.headers });
    answers[url.pathname]?.(answer, url);
  });
  outside.listen(0, OUTSIDE);
  await once(outside, 'listening');
  port = (outside.address() as AddressInfo).port;
  canaries = ['127.0.0.1', '::1'].map((host) =>
    createListener((socket) => void socket.destroy(void (hits += 1))).listen(port, host),
  );
  await Promise.all(canaries.map((canary) => once(canary, 'listening')));
});

afterAll(() => {
  outside.closeAllConnections();
  for (const server of [outside, ...canaries]) server.close();
});

beforeEach(() => {
  asked = [];
  hits = 0;
});

const NAMES: Record<string, readonly string[]> = {
  'pictures.example': [OUTSIDE],
  'other.example': [OUTSIDE],
  'inside.example': ['127.0.0.1'],
  'mixed.example': [OUTSIDE, '::1'],
  'nobody.example': [],
};

const options = (changes: FetchOptions = {}): FetchOptions => ({
  ca: pem('cert.pem'),
  isPort: (given) => given === String(port),
  isAllowed: (address) => address === OUTSIDE || isPublicAddress(address),
  resolve: (host) =>
    Promise.resolve((NAMES[host] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))),
  ...changes,
});

const at = (where: string): string => `https://pictures.example:${port}${where}`;

test('a picture comes as it is, without cookies or where it was named', async () => {
  expect(await fetchPicture(at('/ok'), options({ userAgent: 'Dogear (https://books.example)' }))).toEqual({
    bytes: PICTURE,
  });
  const [{ headers } = { headers: undefined }] = asked;
  expect(headers).toMatchObject({ 'user-agent': 'Dogear (https://books.example)', 'accept-encoding': 'identity' });
  expect(Object.keys(headers ?? {})).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/cookie|referer|origin/)]),
  );
});

test('it may be led on three times, to another host as well', async () => {
  expect(await fetchPicture(at('/on?left=2'), options())).toEqual({ bytes: PICTURE });
  expect(await fetchPicture(at(`/to?at=${encodeURIComponent(`https://other.example:${port}/ok`)}`), options())).toEqual(
    {
      bytes: PICTURE,
    },
  );
  expect(await fetchPicture(at('/on?left=3'), options())).toEqual({
    refused: expect.stringContaining('more than 3 times'),
    later: false,
  });
});

test.each([
  ['/gone', 'no picture at this address', false],
  ['/away', 'at the moment', true],
  ['/large', 'larger than 10 MB', false],
  ['/said-large', 'larger than 10 MB', false],
  ['/packed', 'no picture at this address', false],
  ['/cut', 'cannot reach', true],
])('%s is answered by a sentence', async (where, sentence, later) => {
  expect(await fetchPicture(at(where), options())).toEqual({ refused: expect.stringContaining(sentence), later });
});

test('10 MB and no byte more is taken', async () => {
  expect(await fetchPicture(at('/most'), options())).toMatchObject({ bytes: { length: MAX_FETCHED_BYTES } });
});

test('a picture that drips is given up after 10 seconds, and at once when nobody waits any more', async () => {
  const began = performance.now();
  const [slow, stopped] = await Promise.all([
    fetchPicture(at('/drips'), options()),
    fetchPicture(at('/drips'), options({ signal: AbortSignal.timeout(200) })).then(() => performance.now() - began),
  ]);
  expect(slow).toEqual({ refused: expect.stringContaining('longer than 10 seconds'), later: true });
  expect(performance.now() - began).toBeLessThan(12_000);
  expect(stopped).toBeLessThan(5_000);
}, 20_000);

test('who cannot prove the name is not believed', async () => {
  const { ca: _, ...known } = options();
  expect(await fetchPicture(at('/ok'), known)).toMatchObject({ refused: expect.stringContaining('cannot reach') });
  expect(asked).toEqual([]);
});

const INSIDE = [
  '127.0.0.1',
  '[::1]',
  '0.0.0.0',
  '0',
  '[::]',
  '169.254.169.254',
  '2130706433',
  '0x7f.1',
  '0x7f000001',
  '0177.0.0.1',
  '127.1',
  '[::ffff:7f00:1]',
  '[::ffff:127.0.0.1]',
  '[::7f00:1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001::1]',
  '[fe80::1]',
  '[fc00::1]',
  '10.0.0.1',
  '100.100.100.200',
  '192.168.1.1',
];

/** Every socket that is opened while something is done, by what it was opened to. */
const socketsDuring = async (work: () => Promise<unknown>): Promise<number> => {
  let opened = 0;
  const count = (): void => void (opened += 1);
  subscribe('net.client.socket', count);
  await work().finally(() => unsubscribe('net.client.socket', count));
  return opened;
};

// Digits of full width cannot stand in an answer's head.
test.each([...INSIDE, '１２７.0.0.1'])('nothing is connected to at https://%s', async (host) => {
  const inside = `https://${host}:${port}/ok`;
  const opened = await socketsDuring(async () =>
    expect(await fetchPicture(inside, options())).toEqual({
      refused: expect.stringContaining('cannot reach'),
      later: true,
    }),
  );
  expect({ opened, hits }).toEqual({ opened: 0, hits: 0 });
});

test.each(INSIDE)('nor when a picture leads there, to https://%s', async (host) => {
  const inside = encodeURIComponent(`https://${host}:${port}/ok`);
  const opened = await socketsDuring(async () =>
    expect(await fetchPicture(at(`/to?at=${inside}`), options())).toMatchObject({
      refused: expect.stringContaining('cannot reach'),
    }),
  );
  expect({ opened, hits, asked: asked.length }).toEqual({ opened: 1, hits: 0, asked: 1 });
});

test.each(['inside.example', 'mixed.example', 'nobody.example', 'localhost'])(
  'nothing is connected to where a name is, or may be, of the inside: %s',
  async (host) => {
    expect(await fetchPicture(`https://${host}:${port}/ok`, options())).toMatchObject({
      refused: expect.stringContaining('cannot reach'),
    });
    expect({ hits, asked }).toEqual({ hits: 0, asked: [] });
  },
);

test('a name that is outside first and inside then reaches the inside never', async () => {
  let lookups = 0;
  const resolve = (): Promise<{ address: string; family: number }[]> =>
    Promise.resolve([{ address: (lookups += 1) === 1 ? OUTSIDE : '127.0.0.1', family: 4 }]);
  expect(await fetchPicture(at('/on?left=0'), options({ resolve }))).toMatchObject({
    refused: expect.stringContaining('cannot reach'),
  });
  // What was looked at is what was connected to, and each redirect is looked at anew.
  expect({ lookups, hits, asked: asked.length }).toEqual({ lookups: 2, hits: 0, asked: 1 });
});

test.each([
  'http://pictures.example/ok',
  'https://pictures.example:8443/ok',
  'https://user:secret@pictures.example/ok',
  'file:///etc/passwd',
  'data:image/png;base64,AAAA',
  'pictures.example/ok',
  '',
  `https://pictures.example/${'x'.repeat(2_048)}`,
])('%s is no address of a picture', async (address) => {
  const { isPort: _, ...asShipped } = options();
  expect(await socketsDuring(() => fetchPicture(address, asShipped))).toBe(0);
  expect(await fetchPicture(address, asShipped)).toEqual({
    refused: expect.stringContaining('Give an https address'),
    later: false,
  });
});

test('as it is shipped, the picture of the tests is of the inside', async () => {
  const { isAllowed: _, ...asShipped } = options();
  expect(await fetchPicture(at('/ok'), asShipped)).toMatchObject({ refused: expect.stringContaining('cannot reach') });
  expect(asked).toEqual([]);
});

test.each([
  ['93.184.216.34', true],
  ['2606:2800:220:1::1', true],
  ['198.18.0.1', false],
  ['240.0.0.1', false],
  ['4000::1', false],
  ['::7f00:1', false],
  ['fec0::1', false],
  ['2001:db8::1', false],
  ['ff02::1', false],
  ['fe80::1%eth0', false],
  ['pictures.example', false],
  ['', false],
])('%s is an address of the internet: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});
