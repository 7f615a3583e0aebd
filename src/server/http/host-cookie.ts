import { parseCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A cookie to set: its value in base64url, and how long it lasts. */
export interface CookieValue {
  readonly token: string;
  readonly maxAgeSeconds: number;
}

/** `__Host-` binds a cookie to this very host; browsers allow the prefix on https only. */
export const hostCookieName = (name: string, https: boolean): string => (https ? `__Host-${name}` : name);

/** What the browser sent in the cookie `name` of this host, if anything. */
export const hostCookieOf = (request: FastifyRequest, name: string): string | undefined =>
  parseCookie(request.headers.cookie ?? '')[hostCookieName(name, request.server.cookieRules.https)];

/** Sets a cookie that scripts cannot read, and that comes along when another site leads back here. */
export const setHostCookie = (reply: FastifyReply, name: string, { token, maxAgeSeconds }: CookieValue): void => {
  const { https } = reply.server.cookieRules;
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${https ? '; Secure' : ''}`;
  reply.header('set-cookie', `${hostCookieName(name, https)}=${token}; ${attributes}`);
};
