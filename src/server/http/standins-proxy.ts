import { request as httpRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '#server/platform/errors.ts';

const PREFIX = '/standins/stripe';
/** Headers that belong to one connection and are not passed on (RFC 9110, 7.6.1). */
const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'trailer'];

const passOn = (from: IncomingMessage, to: ServerResponse, target: URL): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { ...from.headers };
    for (const name of [...HOP_BY_HOP, 'cookie', 'host']) delete headers[name];
    // Host and path apart: resolved together, a path such as //elsewhere would name another host.
    const address = { host: target.hostname, port: target.port, path: (from.url ?? '').slice(PREFIX.length) || '/' };
    const upstream = httpRequest({ ...address, method: from.method, headers }, (answer) => {
      const passed = { ...answer.headers };
      for (const name of HOP_BY_HOP) delete passed[name];
      to.writeHead(answer.statusCode ?? 502, passed);
      answer.pipe(to);
      answer.on('end', resolve);
      answer.on('error', reject);
    });
    upstream.on('error', reject);
    // A browser that gives up leaves nothing open behind it.
    to.on('close', () => upstream.destroy());
    from.pipe(upstream);
  });

/** Shows the payment stand-in, which listens on a loopback port of its own, at /standins/stripe. Nothing of it is logged. */
export const proxyStandins = async (app: FastifyInstance, target: URL): Promise<void> => {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    for (const url of [PREFIX, `${PREFIX}/*`]) {
      scope.all(url, { schema: { hide: true }, logLevel: 'silent' }, async (request, reply) => {
        reply.hijack();
        try {
          await passOn(request.raw, reply.raw, target);
        } catch {
          if (reply.raw.headersSent) return void reply.raw.destroy();
          const refusal = new Refusal('provider_unavailable', 'The payment stand-in does not answer');
          reply.raw.writeHead(502, { 'content-type': 'application/json; charset=utf-8' });
          reply.raw.end(JSON.stringify({ error: { type: 'api_error', message: refusal.message } }));
        }
      });
    }
  });
};
