import type { FastifyServerOptions } from 'fastify';

export type LoggerOptions = Exclude<FastifyServerOptions['logger'], undefined>;

/** The address without its query: queries hold people's email addresses. */
const withoutQuery = (url: string): string => url.split('?', 1)[0] ?? '';

/** Options of the process's logger: JSON lines with request ids, no query strings, no credentials. */
export const logOptions = (level: string): LoggerOptions => ({
  level,
  serializers: {
    req: (request: { method: string; url: string }) => ({ method: request.method, path: withoutQuery(request.url) }),
  },
});
