// What a page's HTML weighs, as a browser asks for it.
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';

export interface Weight {
  readonly path: string;
  readonly bytes: number;
  readonly packedBytes: number;
  readonly coding: string;
}

const UNPACK: Record<string, (data: Buffer) => Buffer> = {
  br: (data) => brotliDecompressSync(data),
  gzip: (data) => gunzipSync(data),
  zstd: (data) => zstdDecompressSync(data),
};

/** Asks as Chromium does. */
export const weigh = async (url: string, path: string): Promise<Weight> => {
  const headers = { accept: 'text/html', 'accept-encoding': 'gzip, deflate, br, zstd' };
  const request = get(new URL(path, url), { headers });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part as Buffer);
  const packed = Buffer.concat(parts);
  const coding = answer.headers['content-encoding'] ?? 'none';
  const whole = UNPACK[coding]?.(packed) ?? packed;
  return { path, bytes: whole.length, packedBytes: packed.length, coding };
};
