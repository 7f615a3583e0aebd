import { callbackify } from 'node:util';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { AppError } from '#server/platform/errors.ts';
import { ANONYMOUS, requireOwnAddress, type Viewer } from '#server/platform/viewer.ts';
import { bearerOf, checkGuard, clearSessionCookie, type Guard } from './auth.ts';

/** Largest body of somebody who is known; listings and bookings are a few kilobytes. */
const KNOWN_BODY_BYTES = 100_000;
/** Largest body of a stranger: signing up and in, a passkey's proof, a link's token. Also of what is no call at all. */
export const STRANGER_BODY_BYTES = 8_000;

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, once the guard of the route has let them in; null before, and where nobody is asked for. */
    viewer: Viewer | null;
    /** Whether the body was still on its way when the guard looked. */
    cameLater: boolean;
  }
}

/** Lets every request carry who asks. */
export const addViewers = (app: FastifyInstance): void => {
  app.decorateRequest('viewer', null);
  app.decorateRequest('cameLater', false);
};

/** The answer comes before the body: rather than read on for nothing, the connection ends. */
const leaveUnread = ({ headers }: FastifyRequest, reply: FastifyReply): void => {
  const isLong = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > STRANGER_BODY_BYTES;
  if (isLong) reply.header('connection', 'close');
};

/** An address in the query of a guarded call is whose list it is. */
const checkClaim = (spec: EndpointSpec, request: FastifyRequest, viewer: Viewer): void => {
  if (spec.query?.properties['email'] === undefined || viewer.kind === 'anonymous') return;
  const { email } = request.query as { email?: unknown };
  if (typeof email === 'string') requireOwnAddress(email, viewer);
};

const lookAt = async (app: FastifyInstance, spec: EndpointSpec, guard: Guard, request: FastifyRequest) => {
  const viewer = await checkGuard(app, guard, request);
  if (guard !== 'anyone') checkClaim(spec, request, viewer);
  return viewer;
};

const lookFirst = callbackify(lookAt);

/**
 * The part of a route that asks who is asking before a byte of the body is read or anything of what they sent is looked
 * at: 401, then 403 for the role or another's list. Strangers' bodies are held to a few kilobytes.
 */
export const guardRoute = (
  app: FastifyInstance,
  spec: EndpointSpec,
  guard: Guard,
): Pick<RouteShorthandOptions, 'bodyLimit' | 'onRequest'> => ({
  bodyLimit: guard === 'anyone' || guard === 'own-check' ? STRANGER_BODY_BYTES : KNOWN_BODY_BYTES,
  onRequest: (request, reply, done) => {
    // Most who ask are nobody and need not wait.
    if (guard === 'anyone' && bearerOf(request) === undefined) {
      request.viewer = ANONYMOUS;
      return done();
    }
    lookFirst(app, spec, guard, request, (error, viewer) => {
      if (error !== null) {
        leaveUnread(request, reply);
        // Whose session is over already forgets a cookie that means nothing.
        if (guard === 'leaving' && error instanceof AppError && error.code === 'unauthenticated')
          clearSessionCookie(reply);
        return done(error);
      }
      request.viewer = viewer;
      request.cameLater = request.raw.complete === false;
      // From here on the log says who is asking, by their id.
      if (viewer.kind === 'signed-in') request.log = reply.log = request.log.child({ userId: viewer.userId });
      return done();
    });
  },
});

/**
 * Who asks, for the handler: whoever took their time to send the body is looked at again, as their session may have
 * ended meanwhile.
 */
export const viewerOf = (
  app: FastifyInstance,
  spec: EndpointSpec,
  guard: Guard,
  request: FastifyRequest,
): Promise<Viewer> | Viewer =>
  request.viewer === null || request.cameLater ? lookAt(app, spec, guard, request) : request.viewer;
