import { request as httpRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { AppError } from '#server/platform/errors.ts';
import { securityHeaders } from '#server/http/headers.ts';

/** A stand-in that listens on a loopback port of its own, and where the shop shows it. */
export interface ShownStandin {
  /** `/standins/stripe` */
  readonly prefix: string;
  /** Where it answers; a path is put before those that are passed on. */
  readonly target: URL;
  /** What it plays, for the sentence that it does not answer. */
  readonly service: string;
}

/** Headers that belong to one connection and are not passed on (RFC 9110, 7.6.1). */
const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'trailer'];

const passOn = (
  from: IncomingMessage,
  to: ServerResponse,
  { prefix, target }: ShownStandin,
  https: boolean,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { ...from.headers };
    for (const name of [...HOP_BY_HOP, 'cookie', 'host']) delete headers[name];
    // What its pages put before their links.
    headers['x-forwarded-prefix'] = prefix;
    // Host and path apart: resolved together, a path such as //elsewhere would name another host.
    const rest = (from.url ?? '').slice(prefix.length) || '/';
    const address = { host: target.hostname, port: target.port, path: target.pathname.replace(/\/$/, '') + rest };
    const upstream = httpRequest({ ...address, method: from.method, headers }, (answer) => {
      const passed = { ...answer.headers };
      for (const name of HOP_BY_HOP) delete passed[name];
      // Its pages have scripts and styles of their own, and say so; everything else is as everywhere.
      to.writeHead(answer.statusCode ?? 502, { ...securityHeaders(https), ...passed });
      answer.pipe(to);
      answer.on('end', resolve);
      answer.on('error', reject);
    });
    upstream.on('error', reject);
    // A browser that gives up leaves nothing open behind it.
    to.on('close', () => upstream.destroy());
    from.pipe(upstream);
  });

/** Shows a stand-in below its prefix. Nothing of it is logged. */
export const proxyStandin = async (app: FastifyInstance, shown: ShownStandin): Promise<void> => {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    for (const url of [shown.prefix, `${shown.prefix}/*`]) {
      scope.all(url, { schema: { hide: true }, logLevel: 'silent' }, async (request, reply) => {
        reply.hijack();
        try {
          await passOn(request.raw, reply.raw, shown, app.cookieRules.https);
        } catch {
          if (reply.raw.headersSent) return void reply.raw.destroy();
          const refusal = new AppError('provider_unavailable', `The ${shown.service} stand-in does not answer`);
          reply.raw.writeHead(502, {
            ...securityHeaders(app.cookieRules.https),
            'content-type': 'application/json; charset=utf-8',
          });
          reply.raw.end(JSON.stringify({ error: { type: 'api_error', message: refusal.message } }));
        }
      });
    }
  });
};
