import type { FastifyInstance } from 'fastify';
import { cacheReply, PUBLIC_CACHING } from './cache/cached-responses.ts';
import { etagOf, isKnownEtag } from './etag.ts';
import { isInProcess } from './in-process.ts';
import { requireHost } from './shedding/raw-refusals.ts';
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

/** Gives public answers of the API an ETag, caches them for whoever asks next, and answers 304 where the client still has that very body. */
export const addEntityTags = (app: FastifyInstance): void => {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.method !== 'GET' || reply.statusCode !== 200 || typeof payload !== 'string') return done(null, payload);
    if (reply.hasHeader('etag') || reply.getHeader('cache-control') === 'no-store') return done(null, payload);
    if (!request.url.startsWith('/api/')) return done(null, payload);
    reply.header('cache-control', PUBLIC_CACHING);
    if (isInProcess(request)) return done(null, payload);
    // Its bytes are made once, for the tag, for the cache and for sending.
    const body = Buffer.from(payload);
    const tag = etagOf(body);
    reply.header('etag', tag);
    reply.header('vary', 'Authorization, Accept-Encoding');
    cacheReply(request, reply, body, tag);
    if (!isKnownEtag(request.headers['if-none-match'], tag)) return done(null, body);
    reply.status(304);
    return done(null, '');
  });
};
