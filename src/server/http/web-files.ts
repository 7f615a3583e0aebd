import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compress, encodingOf, type Encoding } from './compress.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
};
/** Already compressed by their own format. */
const DENSE = new Set(['.ico', '.png', '.woff2']);

/** Files whose name holds the hash of their content; they never change. */
const HASHED_FOLDER = '/assets/';
const YEAR = 'public, max-age=31536000, immutable';
const HOUR = 'public, max-age=3600';

interface WebFile {
  readonly body: Buffer;
  readonly type: string;
  readonly dense: boolean;
  readonly tag: string;
  readonly cacheControl: string;
  /** Compressed when first asked for, then kept. */
  readonly encoded: Map<Encoding, Promise<Buffer>>;
}

/** The built files by their address, in memory: nothing outside this map can be reached, whatever the address says. */
export type WebFiles = ReadonlyMap<string, WebFile>;

/** Reads the files under `folder`; other kinds than the known ones (source maps, hidden files) are left out. */
export const readWebFiles = async (folder: string): Promise<WebFiles> => {
  const files = new Map<string, WebFile>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const extension = path.extname(entry.name);
    const type = TYPES[extension];
    if (!entry.isFile() || type === undefined || entry.name.startsWith('.')) continue;
    const file = path.join(entry.parentPath, entry.name);
    const address = `/${path.relative(folder, file).split(path.sep).join('/')}`;
    const body = await readFile(file);
    files.set(address, {
      body,
      type,
      dense: DENSE.has(extension),
      tag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`,
      cacheControl: address.startsWith(HASHED_FOLDER) ? YEAR : HOUR,
      encoded: new Map(),
    });
  }
  return files;
};

const encodedBody = (file: WebFile, encoding: Encoding): Promise<Buffer> => {
  const kept = file.encoded.get(encoding) ?? compress(file.body, encoding, 'kept');
  file.encoded.set(encoding, kept);
  return kept;
};

/** Sends one of the files, compressed as the client likes it, or 304 when it has it already. */
export const sendWebFile = async (
  request: FastifyRequest,
  reply: FastifyReply,
  file: WebFile,
): Promise<FastifyReply> => {
  reply.header('cache-control', file.cacheControl).header('etag', file.tag).header('vary', 'Accept-Encoding');
  if (request.headers['if-none-match'] === file.tag) return reply.status(304).send();
  const encoding = file.dense ? 'identity' : encodingOf(request.headers['accept-encoding'], file.body.length);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.header('content-type', file.type).send(await encodedBody(file, encoding));
};
