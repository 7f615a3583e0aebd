import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { PUBLIC_CACHING, publicAnswer, ticketOf } from './public-answers.ts';
import type { ResponseCache } from './response-cache.ts';

const API_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
/** Two years, as browsers' preload lists ask. */
const HSTS = 'max-age=63072000; includeSubDomains';

/** Whether an address is one of the API; what cannot be read at all is answered as the API answers. */
const isApi = (url: string): boolean => /^\/api(\/|\?|$)/.test(url);

/** Headers of an answer to `url`; pages and the API's readable page set a policy of their own. */
export const setSecurityHeaders = (reply: FastifyReply, url: string, options: { https: boolean }): void => {
  reply.header('x-content-type-options', 'nosniff');
  reply.header('referrer-policy', 'strict-origin-when-cross-origin');
  reply.header('cross-origin-resource-policy', 'same-origin');
  if (options.https) reply.header('strict-transport-security', HSTS);
  if (!isApi(url)) return;
  reply.header('content-security-policy', API_POLICY);
  reply.header('x-frame-options', 'DENY');
};

/** Puts them on every answer of the process. */
export const addSecurityHeaders = (app: FastifyInstance, options: { https: boolean }): void => {
  app.addHook('onRequest', async (request, reply) => setSecurityHeaders(reply, request.url, options));
};

/**
 * Gives public answers of the API an ETag, keeps them for whoever asks next, and answers 304 where the client still has that
 * very body.
 */
export const addEntityTags = (app: FastifyInstance, cache: ResponseCache | undefined): void => {
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.method !== 'GET' || reply.statusCode !== 200 || typeof payload !== 'string') return payload;
    if (reply.hasHeader('etag') || reply.getHeader('cache-control') === 'no-store') return payload;
    if (!request.url.startsWith('/api/')) return payload;
    const tag = `"${createHash('sha256').update(payload).digest('base64url').slice(0, 27)}"`;
    reply.header('etag', tag);
    reply.header('cache-control', PUBLIC_CACHING);
    reply.header('vary', 'Authorization, Accept-Encoding');
    const ticket = ticketOf(request);
    if (ticket !== undefined) cache?.keep(ticket, publicAnswer(reply, Buffer.from(payload), tag));
    if (!(request.headers['if-none-match'] ?? '').split(/\s*,\s*/).includes(tag)) return payload;
    reply.status(304);
    return '';
  });
};
