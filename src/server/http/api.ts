import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance } from 'fastify';
import type { LoggerOptions } from '#server/platform/log.ts';
import type { CookieRules, Credentials } from './auth.ts';
import { addErrorReplies, replyUnreadable } from './error-reply.ts';
import { addEntityTags, addSecurityHeaders, setSecurityHeaders } from './headers.ts';
import { addInputChecks } from './input-checks.ts';
import { addOpenApi } from './openapi.ts';
import { cachingServer, type KeptAnswers } from './public-answers.ts';

/** Largest body of any request; listings and bookings are a few kilobytes. */
const BODY_LIMIT_BYTES = 100_000;
const REQUEST_TIMEOUT_MS = 30_000;

export interface HttpOptions {
  readonly credentials: Credentials;
  readonly cookieRules: CookieRules;
  readonly publicUrl: string;
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustProxy: string | undefined;
  readonly logger: LoggerOptions;
  /** Public answers kept for all; absent: each is computed. */
  readonly kept?: KeptAnswers | undefined;
}

/** A Fastify app with everything that holds for every route, and none yet. */
export const createHttpApp = async (options: HttpOptions): Promise<FastifyInstance> => {
  const app: FastifyInstance = Fastify({
    logger: options.logger,
    trustProxy: options.trustProxy ?? false,
    genReqId: () => randomUUID(),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Longer than any request line Node takes, so that a long id is refused by its pattern like any other that is none.
    routerOptions: { maxParamLength: 16_384 },
    // Extra fields are dropped, nothing is bent into another type: a number is no name.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: 'all', useDefaults: false, allErrors: true } },
    forceCloseConnections: 'idle',
    ...(options.kept && { serverFactory: cachingServer(options.kept) }),
    frameworkErrors: (_error, request, reply) => {
      setSecurityHeaders(reply, '/api', { https: options.cookieRules.https });
      replyUnreadable(request, reply);
    },
  });
  // JSON is the one language of the API; forms of other sites speak text/plain.
  app.removeContentTypeParser('text/plain');
  app.decorate('credentials', options.credentials);
  app.decorate('cookieRules', options.cookieRules);
  addSecurityHeaders(app, { https: options.cookieRules.https });
  addErrorReplies(app);
  addInputChecks(app);
  addEntityTags(app, options.kept?.cache);
  await addOpenApi(app, { publicUrl: options.publicUrl });
  return app;
};
