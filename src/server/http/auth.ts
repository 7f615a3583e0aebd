import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, unauthenticated } from '#server/platform/errors.ts';
import { hostCookieName, hostCookieOf, setHostCookie, type CookieValue } from './host-cookie.ts';
import {
  ANONYMOUS,
  requireAdmin,
  requireBuyer,
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
}

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

const viewerOfBearer = (app: FastifyInstance, bearer: string | undefined): Promise<Viewer> | Viewer =>
  bearer === undefined ? ANONYMOUS : app.credentials.viewerOfAccessToken(bearer);

const requireSomebody = (viewer: Viewer): Viewer => {
  if (viewer.kind === 'anonymous') throw unauthenticated();
  return viewer;
};

/** The viewer a request comes from, or the refusal its route demands. */
export const checkGuard = async (app: FastifyInstance, guard: Guard, request: FastifyRequest): Promise<Viewer> => {
  const bearer = bearerOf(request);
  if (guard === 'anyone') return viewerOfBearer(app, bearer);
  if (guard === 'viewer') return requireSomebody(await viewerOfBearer(app, bearer));
  if (guard === 'buyer' || guard === 'seller' || guard === 'admin' || guard === 'seller or admin')
    return ROLES[guard](await viewerOfBearer(app, bearer));
  if (guard === 'session' && bearer !== undefined) return requireSomebody(await viewerOfBearer(app, bearer));
  const cookie = sessionTokenOf(request);
  refuseCrossSite(request, app.cookieRules, cookie !== undefined);
  if (guard === 'own-check') return ANONYMOUS;
  const viewer = cookie === undefined ? ANONYMOUS : await app.credentials.viewerOfSessionToken(cookie);
  if (guard === 'leaving' && viewer.kind === 'anonymous') return requireSomebody(await viewerOfBearer(app, bearer));
  return requireSomebody(viewer);
};
