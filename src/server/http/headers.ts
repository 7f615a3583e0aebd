import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { headOf, PUBLIC_CACHING, ticketOf } from './cache/public-answers.ts';
import { requireHost } from './shedding/raw-refusals.ts';
import type { ResponseCache } from './cache/response-cache.ts';
import { securityHeaders } from './pages/security-headers.ts';

/** Puts the headers of every answer on those that Fastify gives; what is refused before is answered in raw-refusals.ts. */
export const addSecurityHeaders = (app: FastifyInstance, https: boolean): void => {
  const headers = securityHeaders(https);
  // Nothing is waited for here, nor below: a promise for each hook of each request would cost more than the hook.
  app.addHook('onRequest', (request, reply, done) => {
    // Pages and the API's readable page put a policy of their own over the closed one.
    reply.headers(headers);
    requireHost(request);
    done();
  });
};

/**
 * Gives public answers of the API an ETag, keeps them for whoever asks next, and answers 304 where the client still has that
 * very body.
 */
export const addEntityTags = (app: FastifyInstance, cache: ResponseCache | undefined): void => {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.method !== 'GET' || reply.statusCode !== 200 || typeof payload !== 'string') return done(null, payload);
    if (reply.hasHeader('etag') || reply.getHeader('cache-control') === 'no-store') return done(null, payload);
    if (!request.url.startsWith('/api/')) return done(null, payload);
    // Its bytes are made once, for the tag, for keeping and for sending.
    const body = Buffer.from(payload);
    const tag = `"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
    reply.header('etag', tag);
    reply.header('cache-control', PUBLIC_CACHING);
    reply.header('vary', 'Authorization, Accept-Encoding');
    const ticket = ticketOf(request);
    if (ticket !== undefined) cache?.keep(ticket, body, () => headOf(reply, tag));
    const known = request.headers['if-none-match'];
    if (known === undefined) return done(null, body);
    // No pattern: one that looks for spaces around commas takes half a second for a header that is nothing but spaces.
    if (!known.split(',').some((one) => one.trim() === tag)) return done(null, body);
    reply.status(304);
    return done(null, '');
  });
};
