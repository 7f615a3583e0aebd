import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { encodingOf, etagOf, isKnownEtag, type Encoding } from '#server/http/representation.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
};
/** What the build put beside a file (scripts/build/precompress.ts). */
const ENDINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** Files whose name holds the hash of their content; they never change. */
const HASHED_FOLDER = '/assets/';
const YEAR = 'public, max-age=31536000, immutable';
const HOUR = 'public, max-age=3600';

/** One form of a file: its bytes and the tag of just these. */
interface Form {
  readonly body: Buffer;
  readonly tag: string;
}

interface WebFile {
  readonly type: string;
  readonly cacheControl: string;
  readonly plain: Form;
  readonly compressed: ReadonlyMap<Encoding, Form>;
}

/** The built files by their address, in memory: nothing outside this map can be reached, whatever the address says. */
export type WebFiles = ReadonlyMap<string, WebFile>;

declare module 'fastify' {
  interface FastifyInstance {
    /** None until the pages are mounted, and in development. */
    webFiles: WebFiles;
  }
}

const formOf = (file: string): Form => {
  const body = readFileSync(file);
  return { body, tag: etagOf(body) };
};

/**
 * Reads the files under `folder`; other kinds than the known ones (source maps, hidden files) are left out. At once,
 * before anybody is served: some hundreds of small files, each waited for, were a fifth of a start.
 */
export const readWebFiles = (folder: string): WebFiles => {
  const files = new Map<string, WebFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = TYPES[path.extname(entry.name)];
    if (type === undefined || entry.name.startsWith('.')) continue;
    const file = path.join(entry.parentPath, entry.name);
    const address = `/${path.relative(folder, file).split(path.sep).join('/')}`;
    files.set(address, {
      type,
      cacheControl: address.startsWith(HASHED_FOLDER) ? YEAR : HOUR,
      plain: formOf(file),
      compressed: new Map(
        ENDINGS.filter(([, ending]) => existsSync(file + ending)).map(([encoding, ending]) => [
          encoding,
          formOf(file + ending),
        ]),
      ),
    });
  }
  return files;
};

/**
 * Sends one of the files in the form the client likes best of those that the build made, or 304 when it has that
 * already.
 */
export const sendWebFile = (request: FastifyRequest, reply: FastifyReply, file: WebFile): FastifyReply => {
  const encoding = encodingOf(request.headers['accept-encoding'], file.plain.body.length);
  const compressed = file.compressed.get(encoding);
  const { body, tag } = compressed ?? file.plain;
  reply.header('cache-control', file.cacheControl).header('vary', 'Accept-Encoding');
  // What is named by what is in it is never asked for again: a tag would only be longer.
  if (file.cacheControl !== YEAR) reply.header('etag', tag);
  if (isKnownEtag(request.headers['if-none-match'], tag)) return reply.status(304).send();
  if (compressed !== undefined) reply.header('content-encoding', encoding);
  return reply.header('content-type', file.type).send(body);
};
