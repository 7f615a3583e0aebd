import { parseCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** `__Host-` binds a cookie to this very host; browsers allow the prefix on https only. */
const nameOf = (name: string, https: boolean): string => (https ? `__Host-${name}` : name);

/** What the browser sent in the cookie `name` of this host, if anything. */
export const hostCookieOf = (request: FastifyRequest, name: string): string | undefined =>
  parseCookie(request.headers.cookie ?? '')[nameOf(name, request.server.cookieRules.https)];

/** Sets a cookie that scripts cannot read, and that comes along when another site leads back here, for `maxAgeSeconds`. */
export const setHostCookie = (reply: FastifyReply, name: string, value: string, maxAgeSeconds: number): void => {
  const { https } = reply.server.cookieRules;
  reply.header(
    'set-cookie',
    `${nameOf(name, https)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${https ? '; Secure' : ''}`,
  );
};
