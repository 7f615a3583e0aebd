import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ANONYMOUS } from '#server/platform/viewer.ts';
import { createHttpApp } from '#server/http/api.ts';
import { sendWebFile } from '#server/http/pages/web-files.ts';

/** A shop that can bear nothing more, with one file and a page everywhere else. */
let app: FastifyInstance;
let url: string;
const FILE = {
  type: 'text/javascript',
  cacheControl: 'public',
  plain: { body: Buffer.from('1'), tag: '"1"' },
  compressed: new Map(),
};

beforeAll(async () => {
  app = await createHttpApp({
    credentials: {
      viewerOfAccessToken: async () => ANONYMOUS,
      viewerOfKey: async () => ANONYMOUS,
      viewerOfSessionToken: async () => ANONYMOUS,
    },
    cookieRules: { https: false, origins: [] },
    publicUrl: 'http://books.example',
    trustProxy: undefined,
    logger: { level: 'silent' },
    limits: {
      countTogether: async () => ({ allowed: true, retryAfterSeconds: 0 }),
      networkOf: (address) => address,
      patience: 1,
      workers: 1,
    },
    readPublic: () => Promise.reject(new Error('nothing is read here')),
    capacity: { waiting: () => 10_000, connections: 1 },
  });
  app.webFiles = new Map([['/assets/entry.js', FILE]]);
  app.get('*', (request, reply) => {
    const file = app.webFiles.get(request.url.split('?')[0] ?? '');
    return file === undefined ? reply.send('a page') : sendWebFile(request, reply, file);
  });
  url = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

test.each([
  ['/assets/entry.js', 200],
  ['/assets/entry.js?again', 200],
  ['/assets/nothing.js', 503],
  ['/assets/', 503],
  ['/assets/../search', 503],
  ['/', 503],
])('a full shop answers %s with %i: what is no file of the build waits like any page', async (path, status) => {
  expect((await fetch(`${url}${path}`)).status).toBe(status);
});
