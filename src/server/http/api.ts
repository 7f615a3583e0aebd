import { randomUUID } from 'node:crypto';
import Fastify, {
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type InjectOptions,
} from 'fastify';
import type { Registry } from 'prom-client';
import type { LoggerOptions } from '#server/platform/log.ts';
import { addViewers, STRANGER_BODY_BYTES, type CookieRules, type Credentials } from './auth.ts';
import { addErrorReplies, replyUnreadable } from './error-reply.ts';
import { addLoadShedding, type Capacity } from './load-shedding.ts';
import { addSecurityHeaders, clientErrorHandler, createServers, securityHeaders, type Servers } from './servers.ts';
import { createRateLimiter, type RateLimitOptions } from './rate-limits.ts';
import { addOpenApi } from './openapi.ts';
import { answerFromCache, cacheReply, PUBLIC_CACHING, type PublicCache } from './cache/cached-responses.ts';
import { cachedPart } from './cache/response-cache.ts';
import { etagOf, isKnownEtag } from './representation.ts';
import type { InProcessApi } from './pages/web-build.ts';
import type { ReadPublic } from './serve.ts';
import { addRequestTraces, measureRequests } from './telemetry.ts';

declare module 'fastify' {
  interface FastifyInstance {
    servers: Servers;
  }
  interface FastifyRequest {
    /** Whether a page asks, while it is rendered, and not a client over the network. */
    readonly isInProcess: boolean;
  }
}

export interface HttpOptions {
  readonly credentials: Credentials;
  readonly cookieRules: CookieRules;
  readonly publicUrl: string;
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustProxy: string | undefined;
  readonly logger: LoggerOptions;
  /** How often one network and one account may make the calls that cost much. */
  readonly limits: RateLimitOptions;
  readonly readPublic: ReadPublic;
  /** What the process can bear; absent: no load is shed. */
  readonly capacity?: Capacity | undefined;
  /** Public answers cached for all; absent: each is computed. */
  readonly publicCache?: PublicCache | undefined;
  /** Where requests are counted; absent: nowhere. */
  readonly metrics?: Registry | undefined;
}

/** Logs each request once, when it is answered: a second line when it comes would say nothing more and cost as much. */
class OneLinePerRequest extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(error: Error | null, request: FastifyRequest, reply: FastifyReply): void {
    const facts = { req: request, res: reply, responseTime: reply.elapsedTime };
    if (error === null || error === undefined) reply.log.info(facts, 'request completed');
    else reply.log.error({ ...facts, err: error }, 'request errored');
  }
}

const MARK = 'x-in-process';
/** Begins the mark of each call of a page; nobody outside of the process knows it. */
const SECRET = randomUUID();
let callsOfPages = 0;
/**
 * Characters of an answer that pages share, as the names of the categories. A longer one, as a list, is of one page,
 * which is kept itself.
 */
const MOST_SHARED = 4_000;
/** What was answered to calls of pages that have not taken it yet, by their marks. */
const handedOver = new Map<string, string>();

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
    if (request.isInProcess) return done(null, payload);
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

/**
 * Gives what pages ask for in process to them as the text it is: as a body of a response it would be made bytes, copied
 * and read again.
 */
const handTextsOver = (app: FastifyInstance): void => {
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (!request.isInProcess || typeof payload !== 'string') return done(null, payload);
    handedOver.set(String(request.headers[MARK]), payload);
    return done(null, '');
  });
};

/** Half of a schema's compiling is a pass that tidies its code, which V8 does itself: the first answers wait for it. */
const PLAIN = { optimize: false };

/** A Fastify app with everything that holds for every route, and none yet. */
export const createHttpApp = async (options: HttpOptions): Promise<FastifyInstance> => {
  const servers = createServers(options.cookieRules.https);
  const { publicCache } = options;
  const app: FastifyInstance = Fastify({
    logger: options.logger,
    logController: new OneLinePerRequest(),
    trustProxy: options.trustProxy ?? false,
    genReqId: () => randomUUID(),
    bodyLimit: STRANGER_BODY_BYTES,
    // Longer than any request line Node takes, so that a long id is refused by its pattern like any other that is none.
    routerOptions: { maxParamLength: 16_384 },
    // Extra fields are dropped, nothing is bent into another type: a number is no name.
    ajv: {
      customOptions: { coerceTypes: false, removeAdditional: 'all', useDefaults: false, allErrors: true, code: PLAIN },
    },
    serializerOpts: { ajv: { code: PLAIN } },
    forceCloseConnections: 'idle',
    clientErrorHandler: clientErrorHandler(options.cookieRules.https),
    serverFactory: (handler) => servers.open(publicCache ? answerFromCache(publicCache, handler) : handler),
    frameworkErrors: (_error, request, reply) => {
      reply.headers(securityHeaders(options.cookieRules.https));
      replyUnreadable(request, reply);
    },
  });
  // JSON is the one language of the API; forms of other sites speak text/plain.
  app.removeContentTypeParser('text/plain');
  app.decorate('servers', servers);
  app.decorate('webFiles', new Map());
  app.decorate('credentials', options.credentials);
  app.decorate('cookieRules', options.cookieRules);
  app.decorate('rateLimiter', createRateLimiter(options.limits));
  app.decorate('readPublic', options.readPublic);
  app.decorateRequest('isInProcess', {
    getter() {
      return this.headers[MARK]?.toString().startsWith(SECRET) ?? false;
    },
  });
  addViewers(app);
  addRequestTraces(app);
  if (options.metrics !== undefined) measureRequests(app, options.metrics);
  addSecurityHeaders(app, options.cookieRules.https);
  if (options.capacity !== undefined) addLoadShedding(app, options.capacity);
  addErrorReplies(app);
  addEntityTags(app);
  handTextsOver(app);
  await addOpenApi(app, { publicUrl: options.publicUrl, https: options.cookieRules.https });
  return app;
};

/**
 * The API for loaders: the same routes, guards, limits and cached answers as over the network, without the network.
 * What pages share, as the names of the categories, is asked for once until it changes.
 */
export const inProcessApi = (app: FastifyInstance, shared: PublicCache | undefined, ip: string): InProcessApi => {
  const ask: InProcessApi = async ({ method, path, headers, body }) => {
    const mark = `${SECRET} ${(callsOfPages += 1)}`;
    try {
      const given = await app.inject({
        method: method as InjectOptions['method'],
        url: `/api${path}`,
        headers: { ...headers, [MARK]: mark },
        remoteAddress: ip,
        ...(body !== undefined && { payload: body }),
      });
      // Not `given` itself: what is cached would keep the whole request and response with their streams.
      const { statusCode: status, headers: answered } = given;
      const text = handedOver.get(mark) ?? given.body;
      return { status, header: (name) => answered[name]?.toString() ?? null, body: text };
    } finally {
      handedOver.delete(mark);
    }
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
      ({ status, header, body }) =>
        status === 200 && header('cache-control') === PUBLIC_CACHING && body.length <= MOST_SHARED,
    );
  };
};
