import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

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
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'trailer']);

const passedOn = (headers: IncomingMessage['headers'], ...without: string[]): IncomingMessage['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name) && !without.includes(name)));

const passOn = async ({ raw }: FastifyRequest, reply: FastifyReply, shown: ShownStandin): Promise<FastifyReply> => {
  const { prefix, target, service } = shown;
  const rest = (raw.url ?? '').slice(prefix.length) || '/';
  const upstream = httpRequest({
    // Host and path apart: resolved together, a path such as //elsewhere would name another host.
    host: target.hostname,
    port: target.port,
    path: target.pathname.replace(/\/$/, '') + rest,
    method: raw.method,
    // The prefix is what its pages put before their links.
    headers: { ...passedOn(raw.headers, 'cookie', 'host'), 'x-forwarded-prefix': prefix },
  });
  // What fails once its answer is on the way ends that answer.
  upstream.on('error', () => {});
  // A browser that gives up leaves nothing open behind it.
  reply.raw.once('close', () => upstream.destroy());
  try {
    const answering = once(raw.pipe(upstream), 'response') as Promise<[IncomingMessage]>;
    const [answer] = await answering;
    // Its pages have scripts and styles of their own, and say so; everything else is as everywhere.
    return reply
      .status(answer.statusCode ?? 502)
      .headers(passedOn(answer.headers))
      .send(answer);
  } catch {
    const message = `The ${service} stand-in does not answer`;
    return reply.status(502).send({ error: { type: 'api_error', message } });
  }
};

/** Shows a stand-in below its prefix. Nothing of it is logged. */
export const proxyStandin = async (app: FastifyInstance, shown: ShownStandin): Promise<void> => {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    for (const url of [shown.prefix, `${shown.prefix}/*`])
      scope.all(url, { logLevel: 'silent' }, (request, reply) => passOn(request, reply, shown));
  });
};
