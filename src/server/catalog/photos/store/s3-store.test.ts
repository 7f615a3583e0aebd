import { randomBytes } from 'node:crypto';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createS3StandIn, type S3StandIn } from '#standins/s3/standin.ts';
import { createS3Store } from './s3-store.ts';
import { StoreFullError } from './photo-store.ts';

const KEYS = { accessKeyId: 'AKIADOGEAR', secretAccessKey: 'a secret of the tests' };
const KEY = 'ab/abcdefghijklmnopqrstuv/720.webp';

let s3: S3StandIn;
let endpoint: string;

beforeEach(async () => {
  s3 = createS3StandIn('photos', KEYS);
  endpoint = await s3.listen();
});
afterEach(() => s3.close());

const store = (changes: { bucket?: string; credentials?: typeof KEYS } = {}) =>
  createS3Store(
    { bucket: 'photos', region: 'eu-central-1', endpoint, credentials: KEYS, ...changes },
    { answerMs: 500 },
  );

test('what was put is read, replaced, listed in pages and deleted', async () => {
  const bytes = randomBytes(200_000);
  expect(await store().get(KEY)).toBeUndefined();
  await store().put(KEY, randomBytes(100), 'image/webp');
  await store().put(KEY, bytes, 'image/webp');
  expect(s3.objects.get(KEY)).toMatchObject({ bytes, type: 'image/webp' });
  expect(Buffer.from((await store().get(KEY)) ?? [])).toEqual(bytes);
  const others = Array.from({ length: 7 }, (_, n) => `cd/${n}/shared.jpg`);
  for (const key of others) await store().put(key, bytes, 'image/jpeg');
  const found: { key: string; at: Date }[] = [];
  for await (const each of store().keys('')) found.push(each);
  expect(found.map(({ key }) => key)).toEqual([KEY, ...others]);
  expect(Math.abs((found[0]?.at.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
  const some: string[] = [];
  for await (const { key } of store().keys('cd/3')) some.push(key);
  expect(some).toEqual(['cd/3/shared.jpg']);
  await store().delete([KEY, ...others, 'not/there.webp']);
  expect(s3.objects.size).toBe(0);
});

test('an error of the store and an answer that never comes or is cut off are tried again', async () => {
  const bytes = randomBytes(50_000);
  s3.fail('down', 2, 'PUT');
  await store().put(KEY, bytes, 'image/webp');
  s3.fail('silent', 1, 'PUT');
  await store().put(KEY, bytes, 'image/webp');
  expect(s3.objects.get(KEY)?.bytes).toEqual(bytes);
  s3.fail('silent', 1, 'GET');
  expect(Buffer.from((await store().get(KEY)) ?? [])).toEqual(bytes);
});

test('a store that stays away is an error, and no photo that is missing', async () => {
  await store().put(KEY, randomBytes(100), 'image/webp');
  await expect(store({ bucket: 'elsewhere' }).get(KEY)).rejects.toThrow();
  for (const fault of ['down', 'silent', 'cut'] as const) {
    s3.fail(fault, 100, 'GET');
    await expect(store().get(KEY), fault).rejects.toThrow();
    await expect(store().get('no/such.webp'), fault).rejects.toThrow();
  }
});

test('other bytes than were sent are found out and taken away', async () => {
  s3.fail('other-bytes', 1, 'PUT');
  await expect(store().put(KEY, randomBytes(1_000), 'image/webp')).rejects.toThrow('answered other bytes');
  expect(s3.objects.size).toBe(0);
});

test('a store without room is told as such', async () => {
  s3.fail('full', 100, 'PUT');
  await expect(store().put(KEY, randomBytes(1_000), 'image/webp')).rejects.toThrow(StoreFullError);
});

test('a wrong key and a wrong secret are refused', async () => {
  for (const wrong of [{ accessKeyId: 'AKIAOTHER' }, { secretAccessKey: 'guessed' }])
    await expect(
      store({ credentials: { ...KEYS, ...wrong } }).put(KEY, randomBytes(10), 'image/webp'),
    ).rejects.toThrow();
  expect(s3.objects.size).toBe(0);
});

test('nothing is signed that somebody changed on its way, and nothing is taken without a signature', async () => {
  const signed = await new Promise<Request>((resolve, reject) => {
    const client = new S3Client({ region: 'eu-central-1', endpoint, forcePathStyle: true, credentials: KEYS });
    client.middlewareStack.add(
      () => async (args) => {
        const { headers, path } = args.request as { headers: Record<string, string>; path: string };
        resolve(new Request(`${endpoint}${path}`, { method: 'GET', headers }));
        throw new Error('kept back');
      },
      { step: 'finalizeRequest', priority: 'low' },
    );
    client.send(new PutObjectCommand({ Bucket: 'photos', Key: KEY, Body: 'x' })).catch(reject);
  });
  // Made for a PUT, sent as a GET.
  expect((await fetch(signed)).status).toBe(403);
  expect((await fetch(`${endpoint}/photos/${KEY}`)).status).toBe(403);
});

test('the bodies that the client sends by default are ones the stand-in cannot read: ours are whole', async () => {
  const client = new S3Client({ region: 'eu-central-1', endpoint, forcePathStyle: true, credentials: KEYS });
  const { Readable } = await import('node:stream');
  const streamed = new PutObjectCommand({
    Bucket: 'photos',
    Key: KEY,
    Body: Readable.from([Buffer.from('x')]),
    ContentLength: 1,
  });
  await expect(client.send(streamed)).rejects.toMatchObject({ $metadata: { httpStatusCode: 501 } });
  client.destroy();
});
