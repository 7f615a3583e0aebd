import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest, InjectOptions } from 'fastify';
import { PUBLIC_CACHING, type PublicCache } from './cache/cached-responses.ts';
import { cachedPart } from './cache/response-cache.ts';
import type { InProcessApi } from './pages/web-build.ts';

/** Marks the calls of pages; nobody outside of the process knows it. */
const MARK = { 'x-in-process': randomUUID() };

/** Whether a page asks, while it is rendered, and not a client over the network. */
export const isInProcess = ({ headers }: FastifyRequest): boolean => headers['x-in-process'] === MARK['x-in-process'];

/**
 * The API for loaders: the same routes, guards, limits and cached answers as over the network, without the network.
 * What pages share, as the names of the categories, is asked for once until it changes.
 */
export const inProcessApi = (app: FastifyInstance, shared: PublicCache | undefined, ip: string): InProcessApi => {
  const ask: InProcessApi = async ({ method, path, headers, body }) => {
    const given = await app.inject({
      method: method as InjectOptions['method'],
      url: `/api${path}`,
      headers: { ...headers, ...MARK },
      remoteAddress: ip,
      ...(body !== undefined && { payload: body }),
    });
    const headerOf = (name: string): string | null => given.headers[name]?.toString() ?? null;
    return { status: given.statusCode, header: headerOf, body: given.body };
  };
  return (asked) => {
    const { method, path, headers } = asked;
    const isPublic = method === 'GET' && headers['authorization'] === undefined;
    const tags = isPublic ? shared?.tagsOf(`/api${path.split('?', 1)[0]}`) : undefined;
    if (shared === undefined || tags === undefined) return ask(asked);
    // Apart from the API's own responses, which the database may have written.
    return cachedPart(
      shared.cache,
      `page /api${path}`,
      tags,
      () => ask(asked),
      ({ status, header }) => status === 200 && header('cache-control') === PUBLIC_CACHING,
    );
  };
};
