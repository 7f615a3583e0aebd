import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync, gzipSync } from 'node:zlib';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENT_FOLDER } from './web-build.ts';
import { readWebFiles, sendWebFile, type WebFiles } from './web-files.ts';

let files: WebFiles;
let app: FastifyInstance;
let script: string;
let plain: Buffer;

beforeAll(async () => {
  files = readWebFiles(CLIENT_FOLDER);
  app = Fastify();
  app.get('*', (request, reply) => {
    const file = files.get(request.url);
    return file === undefined ? reply.callNotFound() : sendWebFile(request, reply, file);
  });
  script = [...files.keys()].find((address) => /\/react-[\w-]+\.js$/.test(address)) ?? '';
  plain = await readFile(path.join(CLIENT_FOLDER, script));
});
afterAll(() => app.close());

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers });

describe('the build', () => {
  it('compresses every file that gets smaller, as hard as can be, and no picture or font', async () => {
    const names = await readdir(`${CLIENT_FOLDER}/assets`);
    const there = new Set(names);
    for (const name of names.filter((one) => /\.(js|css)$/.test(one))) {
      const { length } = await readFile(`${CLIENT_FOLDER}/assets/${name}`);
      expect([name, there.has(`${name}.br`), there.has(`${name}.gz`)]).toEqual([
        name,
        length >= 1_000,
        length >= 1_000,
      ]);
    }
    expect(names.filter((name) => /\.(woff2|png)\.(br|gz)$/.test(name))).toEqual([]);
    const built = await readFile(path.join(CLIENT_FOLDER, `${script}.br`));
    const lazy = brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
    expect(built.length).toBeLessThan(lazy.length);
    expect((await readFile(path.join(CLIENT_FOLDER, `${script}.gz`))).length).toBeLessThanOrEqual(
      gzipSync(plain).length,
    );
  });
});

describe('a built file', () => {
  it('comes in the form that the client likes best, and is the same file in each', async () => {
    const forms = [
      ['br, gzip', 'br', brotliDecompressSync],
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip;q=0.5', 'gzip', gunzipSync],
      ['gzip, br;q=0', 'gzip', gunzipSync],
    ] as const;
    for (const [accept, encoding, open] of forms) {
      const answer = await get(script, { 'accept-encoding': accept });
      expect([accept, answer.headers['content-encoding']]).toEqual([accept, encoding]);
      expect(answer.headers['vary']).toBe('Accept-Encoding');
      expect(answer.headers['content-length']).toBe(String(answer.rawPayload.length));
      expect(open(answer.rawPayload).equals(plain)).toBe(true);
    }
    const bare = await get(script);
    expect([bare.headers['content-encoding'], bare.headers['vary']]).toEqual([undefined, 'Accept-Encoding']);
    expect(bare.rawPayload.equals(plain)).toBe(true);
  });

  it('has a tag, and is not sent again to whoever has it', async () => {
    const { headers } = await get('/favicon.svg');
    const tag = String(headers['etag']);
    for (const known of [tag, `"other", ${tag}`, `W/${tag}`]) {
      const answer = await get('/favicon.svg', { 'if-none-match': known });
      expect([known, answer.statusCode, answer.body]).toEqual([known, 304, '']);
      expect(answer.headers).toMatchObject({ etag: tag, vary: 'Accept-Encoding' });
    }
    expect((await get('/favicon.svg', { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  it('has no tag where its name is that of what is in it', async () => {
    expect((await get(script, { 'accept-encoding': 'br' })).headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect((await get(script)).headers['etag']).toBeUndefined();
  });

  it('is sent whole, whatever part is asked for, and says nothing of parts', async () => {
    const answer = await get(script, { range: 'bytes=0-9', 'accept-encoding': 'br' });
    expect([answer.statusCode, answer.headers['accept-ranges'], answer.headers['content-range']]).toEqual([
      200,
      undefined,
      undefined,
    ]);
    expect(brotliDecompressSync(answer.rawPayload).equals(plain)).toBe(true);
  });

  it('is not reached by the name of its compressed form', async () => {
    expect((await get(`${script}.br`)).statusCode).toBe(404);
    expect((await get(`${script}.gz`)).statusCode).toBe(404);
  });

  it('is as it is where it does not get smaller', async () => {
    const font = [...files.keys()].find((address) => address.endsWith('.woff2')) ?? '';
    const answer = await get(font, { 'accept-encoding': 'br' });
    expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, undefined]);
  });
});
