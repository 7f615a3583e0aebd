import type { IncomingMessage } from 'node:http';

// Far above any form of ours.
const MAX_BODY_BYTES = 64 * 1024;

/** A request, read. */
export interface Asking {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  readonly authorization: string | undefined;
  readonly accept: string;
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving this loop early must not destroy the connection: the refusal has to travel back on it.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Reads a request; a sentence where it cannot be read. */
export async function read(request: IncomingMessage): Promise<Asking | string> {
  const target = request.url ?? '';
  const url = target.startsWith('/') ? URL.parse(target.replace(/^\/+/, '/'), 'http://standin.invalid') : null;
  if (url === null) return 'Bad request.';
  const body = await readBody(request);
  if (body === undefined) return 'Request too large.';
  return {
    method: request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET'),
    path: url.pathname,
    query: url.searchParams,
    form: new URLSearchParams(body),
    authorization: request.headers.authorization,
    accept: String(request.headers.accept ?? ''),
  };
}
