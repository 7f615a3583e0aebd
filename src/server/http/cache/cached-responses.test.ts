import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import Fastify, { type FastifyInstance } from 'fastify';
import { addEntityTags } from '#server/http/api.ts';
import { answerFromCache } from './cached-responses.ts';
import { createResponseCache } from './response-cache.ts';

const WORDS = 'many words '.repeat(1_000);

let app: FastifyInstance | undefined;
afterEach(() => app?.close());

/** An app that answers everything with the count of its requests and many words, once `gate` opens. */
const anApp = async (gate: () => Promise<unknown> = async () => {}) => {
  const cache = createResponseCache({ maxBytes: 1_000_000, isCurrent: () => true });
  const publicCache = { cache, tagsOf: (path: string) => (path === '/api/own' ? undefined : ['lists']) };
  app = Fastify({ serverFactory: (handler) => createServer(answerFromCache(publicCache, handler)) });
  addEntityTags(app);
  let computed = 0;
  app.get('*', async (request, reply) => {
    const own = (computed += 1);
    await gate();
    if (request.url === '/api/broken') return reply.status(500).send('broken');
    return reply.type('text/plain').send(`${own} ${WORDS}`);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${url}${path}`, { headers: { 'accept-encoding': 'identity', ...headers } });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  return { cache, url, ask, count: () => computed };
};

test('is computed once for all who ask at the same time and until it is invalidated, with the same headers', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { ask, cache, count } = await anApp(() => promise);
  const asking = Array.from({ length: 5 }, () => ask('/api/a'));
  await expect.poll(() => cache.counts.coming).toBe(4);
  resolve();
  const answers = [...(await Promise.all(asking)), await ask('/api/a')];
  expect(new Set(answers.map(({ text }) => text))).toEqual(new Set([`1 ${WORDS}`]));
  const headersOf = (name: string) => new Set(answers.map(({ headers }) => headers.get(name)));
  for (const name of ['etag', 'cache-control', 'vary', 'content-type', 'content-length'])
    expect([name, headersOf(name).size, headersOf(name).has(null)]).toEqual([name, 1, false]);
  cache.invalidate(new Set(['lists']));
  expect((await ask('/api/a')).text).toBe(`2 ${WORDS}`);
  expect([count(), cache.counts]).toEqual([2, { kept: 1, coming: 4, missing: 2 }]);
});

test.each(['br', 'gzip', 'deflate, gzip, br'])('comes compressed for whoever takes %s', async (accepted) => {
  const { ask, count } = await anApp();
  await ask('/api/a');
  for (let time = 0; time < 2; time += 1) {
    const { text, headers } = await ask('/api/a', { 'accept-encoding': accepted });
    expect(text).toBe(`1 ${WORDS}`);
    expect(headers.get('content-encoding')).toBe(accepted === 'gzip' ? 'gzip' : 'br');
    expect(Number(headers.get('content-length'))).toBeLessThan(1_000);
  }
  expect(count()).toBe(1);
});

test('is 304 for whoever has it, without a body and its headers', async () => {
  const { ask } = await anApp();
  const etag = (await ask('/api/a')).headers.get('etag') ?? '';
  // Of itself fetch would ask for what is not cached.
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const { status, text, headers } = await ask('/api/a', { 'if-none-match': known, 'cache-control': 'max-age=0' });
    expect([status, text, headers.get('etag'), headers.get('content-type')]).toEqual([304, '', etag, null]);
  }
});

test('is never a failure, what is of one alone, or what was asked with a token', async () => {
  const { ask, count } = await anApp();
  for (let time = 1; time <= 2; time += 1) {
    expect((await ask('/api/broken')).status).toBe(500);
    expect((await ask('/api/own')).text.startsWith(`${time * 3 - 1} `)).toBe(true);
    await ask('/api/a', { authorization: 'Bearer x' });
    expect(count()).toBe(time * 3);
  }
});

test('does not hang on the one who asked first: whoever waits is answered when that one goes away', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { ask, cache, url } = await anApp(() => promise);
  const first = get(`${url}/api/a`).on('error', () => {});
  await expect.poll(() => cache.counts.missing).toBe(1);
  const waiting = ask('/api/a');
  await expect.poll(() => cache.counts.coming).toBe(1);
  first.destroy();
  setTimeout(resolve, 50);
  expect((await waiting).status).toBe(200);
});
