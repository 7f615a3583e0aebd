import { createHash, randomUUID } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { Photo } from '#contract/catalog/photos.ts';
import type { TestApp, TestAnswer } from './app.ts';
import type { TestUser } from './make.ts';

/** A picture of noise, of which no two are the same. */
export const aPicture = (width = 400, height = 300): Promise<Buffer> => {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  return sharp({ create: { width, height, channels: 3, background: 'black', noise } })
    .jpeg()
    .toBuffer();
};

export const digestOf = (bytes: Uint8Array): string =>
  `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;

export interface Upload {
  readonly id?: string;
  readonly bytes?: Uint8Array;
  readonly headers?: Record<string, string>;
}

/** Sends a picture as the pages do. */
export const upload = async (t: TestApp, as: TestUser, sent: Upload = {}): Promise<TestAnswer<Photo>> => {
  const { id = randomUUID(), bytes = await aPicture(), headers } = sent;
  const answer = await t.app.inject({
    method: 'PUT',
    url: `/api/photos/${id}`,
    headers: {
      authorization: `Bearer ${as.accessToken}`,
      'content-type': 'image/jpeg',
      'content-digest': digestOf(bytes),
      ...headers,
    },
    payload: Buffer.from(bytes),
  });
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
};

/** A photo of somebody's that is private yet. */
export const aPhoto = async (t: TestApp, as: TestUser, bytes?: Uint8Array): Promise<Photo> => {
  const { status, body } = await upload(t, as, bytes && { bytes });
  if (status !== 200) throw new Error(`no photo: ${JSON.stringify(body)}`);
  return body;
};

/** A PNG of one bit a pixel, written by hand: 30,000² are 109 kB. */
export const blackPng = (width: number, height: number): Buffer => {
  const chunk = (name: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([1, 0, 0, 0, 0], 8);
  const lines = Buffer.alloc((1 + Math.ceil(width / 8)) * height);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};
