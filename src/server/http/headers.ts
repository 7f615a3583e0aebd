import type { FastifyInstance } from 'fastify';
import { AppError } from '#server/platform/errors.ts';
import { cacheReply, PUBLIC_CACHING } from './cache/cached-responses.ts';
import { etagOf, isKnownEtag } from './etag.ts';
import { isInProcess } from './in-process.ts';

/** Nothing in an answer that is no page is run, shown in a frame or loaded from. */
const CLOSED_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
/** Two years, as browsers' preload lists ask. */
const HSTS = 'max-age=63072000; includeSubDomains';

/**
 * The headers of every answer, whoever writes it; pages and the API's readable page put their own policy over the
 * closed one.
 */
export const securityHeaders = (https: boolean): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-resource-policy': 'same-origin',
  // What no page of the shop asks for; `payment` is for the fields of the payment provider.
  'permissions-policy':
    'accelerometer=(), camera=(), geolocation=(), gyroscope=(), microphone=(), payment=(self), usb=()',
  'content-security-policy': CLOSED_POLICY,
  'x-frame-options': 'DENY',
  ...(https && { 'strict-transport-security': HSTS }),
});

/**
 * Puts the headers of every answer on those that Fastify gives; what is refused before is answered in raw-refusals.ts.
 */
export const addSecurityHeaders = (app: FastifyInstance, https: boolean): void => {
  const headers = securityHeaders(https);
  // Nothing is waited for here, nor below: a promise for each hook of each request would cost more than the hook.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers);
    if (request.headers.host === undefined && request.raw.httpVersion !== '1.0')
      throw new AppError('bad_request', 'The request does not say which host it is for');
    done();
  });
};

/**
 * Gives public answers of the API an ETag, caches them for whoever asks next, and answers 304 where the client still
 * has that very body.
 */
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
