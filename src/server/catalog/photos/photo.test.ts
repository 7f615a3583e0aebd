import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import sharp from 'sharp';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_PHOTO_BYTES, MAX_PHOTOS_A_DAY, PHOTO_REFUSALS } from '#contract/catalog/photo-rules.ts';
import { deletePhoto, readPhoto } from '#contract/catalog/photo-calls.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBuyer, anAdmin, aSeller, type TestUser } from '#test/make.ts';
import { aPhoto, aPicture, blackPng, digestOf, upload } from '#test/photos.ts';
import { nameOf } from './photo-files.service.ts';
import { StoreFullError, type PhotoStore } from './store/photo-store.ts';

let t: TestApp;
let user: TestUser;
beforeAll(async () => {
  t = await testApp();
  user = await aBuyer(t);
});
afterAll(() => t.close());

const bytesOf = async (as: TestUser, id: string, side = '720') => {
  const headers = { authorization: `Bearer ${as.accessToken}` };
  return t.app.inject({ method: 'GET', url: `/api/photos/${id}/${side}.webp`, headers });
};

const rowOf = (id: string) => t.db.selectFrom('photos').selectAll().where('id', '=', id).executeTakeFirst();

test('the name of a file is 22 letters of base32 of its sha-256', () => {
  // printf '' | sha256sum | xxd -r -p | base32 | cut -c -22
  expect(nameOf(Buffer.alloc(0))).toBe('4oymiquy7qobjgx36tejs3');
});

describe('PUT /photos/:id', () => {
  test('takes a picture up, and answers its size and colour', async () => {
    const id = randomUUID();
    const bytes = await sharp({ create: { width: 2_000, height: 1_000, channels: 3, background: '#ff8000' } })
      .png()
      .toBuffer();
    const { status, body, headers } = await upload(t, user, { id, bytes });
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(body).toMatchObject({ id, width: 1_600, height: 800, name: null });
    expect(body.colour).toMatch(/^f[0-9a-f]{5}$/);
    for (const [side, width] of [
      ['320', 320],
      ['720', 720],
      ['1600', 1_600],
    ] as const) {
      const answer = await bytesOf(user, id, side);
      expect([answer.statusCode, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
        200,
        'image/webp',
        'no-store',
      ]);
      expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ format: 'webp', width, height: width / 2 });
    }
  });

  test('what is stored has no word of the camera or the place', async () => {
    const bytes = await sharp({ create: { width: 400, height: 300, channels: 3, background: 'teal' } })
      .jpeg()
      .withExif({ IFD0: { Make: 'SECRET-CAMERA' }, IFD3: { GPSLatitude: '52/1 31/1 0/1', GPSLatitudeRef: 'N' } })
      .toBuffer();
    expect(bytes.includes('SECRET-CAMERA')).toBe(true);
    const { id } = await aPhoto(t, user, bytes);
    const { rawPayload } = await bytesOf(user, id, '1600');
    const { exif, xmp, iptc, icc, width } = await sharp(rawPayload).metadata();
    expect({ exif, xmp, iptc, icc, width }).toEqual({ width: 400 });
    expect(rawPayload.includes('SECRET-CAMERA')).toBe(false);
  });

  test.each([
    ['nothing', 'empty', () => Buffer.alloc(0)],
    ['an SVG', 'kind', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"/>')],
    ['a page', 'kind', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['10,000 × 1', 'small', () => sharp(blackPng(10_000, 1)).jpeg().toBuffer()],
    ['a bomb of 30,000²', 'large', () => blackPng(30_000, 30_000)],
    ['half a picture', 'broken', async () => (await aPicture(1_200, 900)).subarray(0, 3_000)],
  ] as const)('refuses %s with a sentence', async (_, why, draw) => {
    const id = randomUUID();
    const { status, body } = await upload(t, user, { id, bytes: await draw() });
    expect([status, body.error?.code, body.error?.message]).toEqual([422, 'photo_refused', PHOTO_REFUSALS[why]]);
    expect(await rowOf(id)).toBeUndefined();
  });

  test('what hangs behind a picture is left behind', async () => {
    const bytes = Buffer.concat([await aPicture(), Buffer.from('<script>alert(document.domain)</script>')]);
    const { id } = await aPhoto(t, user, bytes);
    expect((await bytesOf(user, id)).rawPayload.includes('<script>')).toBe(false);
  });

  test('asks for a digest that fits', async () => {
    const id = randomUUID();
    const bytes = await aPicture();
    for (const [digest, says] of [
      [digestOf(Buffer.from('other')), 'The picture did not arrive as it was sent: please try again'],
      ['md5=:AAAA:', 'Say what is sent: Content-Digest: sha-256=:…: (RFC 9530) is missing'],
    ] as const) {
      const { status, body } = await upload(t, user, { id, bytes, headers: { 'content-digest': digest } });
      expect([status, body.error?.message]).toEqual([400, says]);
    }
    expect(await rowOf(id)).toBeUndefined();
    const several = { 'content-digest': `sha-512=:AAAA:, ${digestOf(bytes)}` };
    expect((await upload(t, user, { id, bytes, headers: several })).status).toBe(200);
  });

  test('the same bytes again are answered the same, other bytes are refused, another’s id is not there', async () => {
    const [id, bytes] = [randomUUID(), await aPicture()];
    const first = await upload(t, user, { id, bytes });
    const again = await upload(t, user, { id: id.toUpperCase(), bytes });
    expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
    const other = await upload(t, user, { id });
    expect([other.status, other.body.error?.code]).toEqual([409, 'photo_differs']);
    const stranger = await upload(t, await aBuyer(t), { id, bytes });
    expect([stranger.status, stranger.body.error?.code]).toEqual([404, 'not_found']);
  });

  test('of many at once under one id one is written; two tabs and two users share nothing but the file', async () => {
    const [id, bytes] = [randomUUID(), await aPicture()];
    const stranger = await aBuyer(t);
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => upload(t, user, { id, bytes })),
      upload(t, stranger, { id, bytes }),
      upload(t, user, { id: randomUUID(), bytes }),
      upload(t, user, { id }),
    ]);
    const rows = await t.db.selectFrom('photos').selectAll().where('id', '=', id).execute();
    expect(rows).toHaveLength(1);
    const isMine = rows[0]?.owner_id === user.id;
    const [mine, theirs, second] = [answers.slice(0, 5), answers[5], answers[6]];
    expect(second?.status).toBe(200);
    for (const { status } of mine) expect(isMine ? [200, 409] : [404]).toContain(status);
    expect(theirs?.status).toBe(isMine ? 404 : 200);
    const name = (await rowOf(second?.body.id ?? ''))?.name ?? '';
    expect(await t.db.selectFrom('photo_files').select('name').where('name', '=', name).execute()).toHaveLength(1);
  });

  test('more than 25 MB are refused before they are read', async () => {
    const headers = { 'content-length': String(MAX_PHOTO_BYTES + 1) };
    const { status, body, headers: answered } = await upload(t, user, { bytes: Buffer.alloc(10), headers });
    expect([status, body.error?.code, answered['connection']]).toEqual([413, 'too_large', 'close']);
  });

  describe('over a connection', () => {
    let port: number;
    beforeAll(async () => {
      port = Number(new URL(await t.listen()).port);
    });

    const open = async (id: string, more: string): Promise<Socket> => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(
        `PUT /api/photos/${id} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${user.accessToken}\r\n` +
          `Content-Type: image/jpeg\r\nContent-Digest: ${digestOf(Buffer.alloc(0))}\r\n${more}\r\n\r\n`,
      );
      return socket;
    };

    test('without a length it is counted, and refused as soon as it is too much', async () => {
      const socket = await open(randomUUID(), 'Transfer-Encoding: chunked');
      const answer = once(socket, 'data');
      const send = (bytes: number): boolean =>
        socket.write(
          Buffer.concat([Buffer.from(`${bytes.toString(16)}\r\n`), Buffer.alloc(bytes), Buffer.from('\r\n')]),
        );
      for (let left = MAX_PHOTO_BYTES; left > 0; left -= 1_000_000)
        if (!send(Math.min(left, 1_000_000))) await once(socket, 'drain');
      // The one too much is the last: whoever goes on writing finds the connection closed before the answer is read.
      send(1);
      expect(String((await answer)[0])).toMatch(/^HTTP\/1.1 413 /);
      socket.destroy();
    });

    test('one that is cut off leaves nothing behind', async () => {
      const id = randomUUID();
      const socket = await open(id, 'Content-Length: 500000');
      socket.write(Buffer.alloc(100_000));
      socket.destroy();
      await once(socket, 'close');
      expect(await rowOf(id)).toBeUndefined();
      expect((await upload(t, user, { id })).status).toBe(200);
    });
  });

  test('200 a day, deleted ones counted, fetched ones not', async () => {
    const busy = await aSeller(t);
    const { id } = await aPhoto(t, busy);
    const copyOf = (count: number, from: string | null) =>
      sql`INSERT INTO photos (id, owner_id, name, digest, fetched_from, deleted_at)
        SELECT gen_random_uuid(), owner_id, NULL, digest, ${from}, now() FROM photos, generate_series(1, ${count}::integer)
        WHERE id = ${id}`.execute(t.db);
    await copyOf(MAX_PHOTOS_A_DAY - 2, null);
    await copyOf(50, 'https://images.example/a.jpg');
    expect((await upload(t, busy)).status).toBe(200);
    const { status, body, headers } = await upload(t, busy);
    expect([status, body.error?.message]).toEqual([
      429,
      'You have uploaded 200 photos within a day: please go on tomorrow',
    ]);
    expect(headers['retry-after']).toBe('3600');
    await sql`UPDATE photos SET created_at = now() - interval '25 hours' WHERE owner_id = ${busy.id}`.execute(t.db);
    expect((await upload(t, busy)).status).toBe(200);
  });

  test('of twenty at once, the two hundredth of a day is one', async () => {
    const busy = await aSeller(t);
    const { id } = await aPhoto(t, busy);
    await sql`INSERT INTO photos (id, owner_id, name, digest, deleted_at)
      SELECT gen_random_uuid(), owner_id, NULL, digest, now() FROM photos, generate_series(1, ${MAX_PHOTOS_A_DAY - 2}::integer)
      WHERE id = ${id}`.execute(t.db);
    const bytes = await aPicture();
    const answers = await Promise.all(Array.from({ length: 20 }, () => upload(t, busy, { bytes })));
    const codes = answers.map(({ status }) => status).toSorted();
    expect(codes).toEqual([200, ...Array.from({ length: 19 }, () => 429)]);
    const { rows } = await sql`SELECT FROM photos WHERE owner_id = ${busy.id}`.execute(t.db);
    expect(rows).toHaveLength(MAX_PHOTOS_A_DAY);
  });

  test('2 GB a user', async () => {
    const full = await aSeller(t);
    const { id } = await aPhoto(t, full);
    const file = await rowOf(id);
    await t.db
      .updateTable('photo_files')
      .set({ bytes: 2_000_000_000 })
      .where('name', '=', file?.name ?? '')
      .execute();
    const { status, body } = await upload(t, full);
    expect([status, body.error?.code, body.error?.message]).toEqual([
      429,
      'too_many',
      'Your photos fill 2 GB, which is as much as one may have: please delete what you do not need',
    ]);
  });
});

test('GET /photos/:id is for its owner: nobody else is told that it is there', async () => {
  const { id } = await aPhoto(t, user);
  for (const stranger of [await aSeller(t), await anAdmin(t)])
    expect((await bytesOf(stranger, id)).statusCode).toBe(404);
  expect((await t.call(readPhoto, { params: { id, side: '720' } })).status).toBe(401);
  expect((await bytesOf(user, id, '100')).statusCode).toBe(404);
  const name = (await rowOf(id))?.name ?? '';
  expect((await t.app.inject({ url: `/photos/${name}/720.webp` })).statusCode).toBe(404);
});

test('DELETE /photos/:id is for its owner, once', async () => {
  const { id } = await aPhoto(t, user);
  const stranger = await aBuyer(t);
  expect((await t.call(deletePhoto, { params: { id } }, { as: stranger })).status).toBe(404);
  expect((await t.call(deletePhoto, { params: { id } }, { as: user })).body).toEqual({ deletedCount: 1 });
  expect((await bytesOf(user, id)).statusCode).toBe(404);
  expect((await t.call(deletePhoto, { params: { id } }, { as: user })).status).toBe(404);
});

test('a store that is full is told in one sentence, and the picture can be sent again', async () => {
  let isFull = true;
  const kept = new Map<string, Uint8Array>();
  const store: PhotoStore = {
    put: (key, bytes) => {
      if (isFull) return Promise.reject(new StoreFullError('no space left on device'));
      kept.set(key, bytes);
      return Promise.resolve();
    },
    get: (key) => Promise.resolve(kept.get(key)),
    delete: () => Promise.resolve(),
    keys: async function* () {},
  };
  const full = await testApp({ photos: store, beside: t });
  try {
    const [id, bytes] = [randomUUID(), await aPicture()];
    const refused = await upload(full, user, { id, bytes });
    expect([refused.status, refused.body.error?.code]).toEqual([507, 'store_full']);
    expect(refused.body.error?.message).toBe(
      'The shop has no room for another picture at the moment: nothing you typed is lost, please try again later',
    );
    isFull = false;
    expect((await upload(full, user, { id, bytes })).status).toBe(200);
    expect([...kept.keys()].map((key) => key.split('/').at(-1)).sort()).toEqual(['320.webp', '720.webp', 'shared.jpg']);
  } finally {
    await full.close();
  }
});
