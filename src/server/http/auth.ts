import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { KEY_CALLS_A_MINUTE } from '#contract/users/api-keys.ts';
import { AppError, forbidden, unauthenticated } from '#server/platform/errors.ts';
import type { RateLimit } from './rate-limits.ts';
import { hostCookieName, hostCookieOf, setHostCookie, type CookieValue } from './host-cookie.ts';
import {
  ANONYMOUS,
  requireAdmin,
  requireBuyer,
  requireOwnAddress,
  requireSeller,
  requireSellerOrAdmin,
  type Viewer,
} from '#server/platform/viewer.ts';

/** What a role asks of whoever shows a bearer token; the service asks again, of the rows that it locks. */
const ROLES = {
  buyer: requireBuyer,
  seller: requireSeller,
  admin: requireAdmin,
  'seller or admin': requireSellerOrAdmin,
} as const;

/**
 * Which proof of who is asking a route takes.
 * - `anyone`: a bearer token is looked at when one is sent; a bad one counts as none
 * - `viewer`: a bearer token is required
 * - a role: a bearer token of somebody who has it is required
 * - `session`: a bearer token or the session cookie is required
 * - `leaving`: as `session`, and a browser without one forgets its cookie
 * - `cookie`: the session cookie is required
 * - `own-check`: the route reads the cookie itself (sign-in and its kin); only cross-site use is refused
 */
export type Guard = 'anyone' | 'viewer' | keyof typeof ROLES | 'session' | 'leaving' | 'cookie' | 'own-check';

/** How http learns who a credential belongs to; given by identity, so that http needs no module. */
export interface Credentials {
  viewerOfAccessToken(token: string): Promise<Viewer>;
  /** Of a key of a program, which begins with `dg_`. */
  viewerOfKey(key: string): Promise<Viewer>;
  viewerOfSessionToken(token: string): Promise<Viewer>;
}

export interface CookieRules {
  readonly https: boolean;
  readonly origins: readonly string[];
}

declare module 'fastify' {
  interface FastifyInstance {
    credentials: Credentials;
    cookieRules: CookieRules;
  }
  interface FastifyRequest {
    /** Who asks, once the guard of the route has let them in; null before, and where nobody is asked for. */
    viewer: Viewer | null;
    /** Whether the body was still on its way when the guard looked. */
    cameLater: boolean;
  }
}

/** Largest body of somebody who is known; listings and bookings are a few kilobytes. */
const KNOWN_BODY_BYTES = 100_000;
/** Largest body of a stranger: signing up and in, a passkey's proof, a link's token. Also of what is no call at all. */
export const STRANGER_BODY_BYTES = 8_000;

/** All calls of a seller's programs are counted together, whatever they are. */
const BY_PROGRAMS = { method: 'GET', path: '/by-programs' } as const;
const PROGRAM_CALLS: RateLimit = {
  calls: KEY_CALLS_A_MINUTE,
  windowSeconds: 60,
  per: 'account',
  counted: 'process',
};

/** Lets every request carry who asks. */
export const addViewers = (app: FastifyInstance): void => {
  app.decorateRequest('viewer', null);
  app.decorateRequest('cameLater', false);
};

const SESSION = 'dogear';
/** Names the browser for as long as it keeps cookies, so that a sign-in with another one can be told to the user. */
const DEVICE = 'dogear-device';

export const sessionCookieName = (https: boolean): string => hostCookieName(SESSION, https);

/** The device token in the request's cookie, if any. */
export const deviceTokenOf = (request: FastifyRequest): string | undefined => hostCookieOf(request, DEVICE);

/** The session token in the request's cookie, if any. */
export const sessionTokenOf = (request: FastifyRequest): string | undefined => hostCookieOf(request, SESSION);

/** Sets the cookie of a session that was just started, and with a browser that had none, its device cookie. */
export const setSessionCookies = (
  reply: FastifyReply,
  session: CookieValue & { readonly device?: CookieValue | undefined },
): void => {
  setHostCookie(reply, SESSION, session);
  if (session.device !== undefined) setHostCookie(reply, DEVICE, session.device);
};

export const clearSessionCookie = (reply: FastifyReply): void =>
  setHostCookie(reply, SESSION, { token: '', maxAgeSeconds: 0 });

/** The bearer token in the Authorization header, if any. */
export const bearerOf = (request: FastifyRequest): string | undefined =>
  /^Bearer ([A-Za-z0-9._~+/=-]+)$/i.exec(request.headers.authorization ?? '')?.[1];

/** Refuses what another site's page could send with the visitor's cookie. */
const refuseCrossSite = (request: FastifyRequest, rules: CookieRules, cookieSent: boolean): void => {
  const refusal = new AppError('cross_site', 'This request did not come from the shop');
  const site = request.headers['sec-fetch-site'];
  const unsafe = request.method !== 'GET' && request.method !== 'HEAD';
  if (site !== undefined && site !== 'same-origin' && (unsafe || site !== 'none')) throw refusal;
  if (!unsafe) return;
  const origin = request.headers.origin;
  if (origin === undefined ? cookieSent : !rules.origins.includes(origin)) throw refusal;
};

const requireSomebody = (viewer: Viewer): Viewer => {
  if (viewer.kind === 'anonymous') throw unauthenticated();
  return viewer;
};

/** The viewer a request comes from, or the refusal its route demands. */
const checkGuard = async (app: FastifyInstance, guard: Guard, request: FastifyRequest): Promise<Viewer> => {
  const bearer = bearerOf(request);
  const known = async (): Promise<Viewer> => {
    if (bearer === undefined) return ANONYMOUS;
    return bearer.startsWith('dg_') ? app.credentials.viewerOfKey(bearer) : app.credentials.viewerOfAccessToken(bearer);
  };
  if (guard === 'anyone') return known();
  if (guard === 'viewer' || (guard === 'session' && bearer !== undefined)) return requireSomebody(await known());
  if (guard === 'buyer' || guard === 'seller' || guard === 'admin' || guard === 'seller or admin')
    return ROLES[guard](await known());
  const cookie = sessionTokenOf(request);
  refuseCrossSite(request, app.cookieRules, cookie !== undefined);
  if (guard === 'own-check') return ANONYMOUS;
  const viewer = cookie === undefined ? ANONYMOUS : await app.credentials.viewerOfSessionToken(cookie);
  return requireSomebody(guard === 'leaving' && viewer.kind === 'anonymous' ? await known() : viewer);
};

/** A program does what its key is good for; what is for everybody it sees as a stranger does. */
const withinScope = (spec: EndpointSpec, guard: Guard, viewer: Viewer): Viewer => {
  if (viewer.kind === 'anonymous' || viewer.scopes === undefined) return viewer;
  if (spec.scope !== undefined && viewer.scopes.includes(spec.scope)) return viewer;
  if (guard === 'anyone') return ANONYMOUS;
  throw forbidden(
    spec.scope === undefined ? 'The key of a program cannot do this' : `This key is not good for ${spec.scope}`,
  );
};

/** As `checkGuard`; an address in the query of a guarded call is whose list it is. */
const lookAt = async (app: FastifyInstance, spec: EndpointSpec, guard: Guard, request: FastifyRequest) => {
  const asking = await checkGuard(app, guard, request);
  const viewer = withinScope(spec, guard, asking);
  if (guard === 'anyone' || viewer.kind === 'anonymous' || spec.query?.properties['email'] === undefined) return viewer;
  const { email } = request.query as { email?: unknown };
  if (typeof email === 'string') requireOwnAddress(email, viewer);
  return viewer;
};

/** The answer comes before the body: rather than read on for nothing, the connection ends. */
const leaveUnread = ({ headers }: FastifyRequest, reply: FastifyReply): void => {
  const isLong = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > STRANGER_BODY_BYTES;
  if (isLong) reply.header('connection', 'close');
};

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
  onRequest: async (request, reply) => {
    try {
      request.viewer = await lookAt(app, spec, guard, request);
    } catch (error) {
      leaveUnread(request, reply);
      // Whose session is over already forgets a cookie that means nothing.
      if (guard === 'leaving' && error instanceof AppError && error.code === 'unauthenticated')
        clearSessionCookie(reply);
      throw error;
    }
    request.cameLater = request.raw.complete === false;
    if (request.viewer.kind === 'signed-in' && request.viewer.scopes !== undefined)
      await app.rateLimiter(BY_PROGRAMS, [PROGRAM_CALLS], request.viewer, request.ip);
    // From here on the log says who is asking, by their id.
    if (request.viewer.kind === 'signed-in')
      request.log = reply.log = request.log.child({ userId: request.viewer.userId });
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
