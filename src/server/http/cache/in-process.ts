import type { FastifyInstance, InjectOptions } from 'fastify';
import { sharedBy } from './kept-parts.ts';
import { PUBLIC_CACHING, type KeptAnswers } from './public-answers.ts';
import type { PublicAnswer, ReadyForm } from './response-cache.ts';
import { bySchema } from '#server/http/serve.ts';
import type { InProcessApi } from '#server/http/pages/web-build.ts';

type Answer = Awaited<ReturnType<InProcessApi>>;
type Asked = Parameters<InProcessApi>[0];

/** What belongs to one answer on its way, and not to what everyone is told. */
const OF_ONE_ANSWER = new Set(['connection', 'content-encoding', 'content-length', 'date', 'x-request-id']);

const headerOf =
  (headers: ReadonlyMap<string, string>) =>
  (name: string): string | null =>
    headers.get(name) ?? null;

const readKept = ({ headers, body }: ReadyForm): Answer => {
  const named = new Map<string, string>();
  for (let place = 0; place < headers.length; place += 2) named.set(headers[place] ?? '', headers[place + 1] ?? '');
  return { status: 200, header: headerOf(named), body: body.toString() };
};

const ask = async (
  app: FastifyInstance,
  ip: string,
  { method, path, headers, body }: Asked,
): Promise<{ made: Answer; answer: PublicAnswer | undefined }> => {
  const given = await app.inject({
    method: method as InjectOptions['method'],
    url: `/api${path}`,
    headers,
    remoteAddress: ip,
    ...(body !== undefined && { payload: body }),
  });
  // A page holds all that its loaders were given, in its source: that is what the contract says and no more.
  const text = bySchema(given.raw.res, given.body);
  const named = new Map(
    Object.entries(given.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as const],
    ),
  );
  const etag = named.get('etag');
  const isForAll = given.statusCode === 200 && etag !== undefined && named.get('cache-control') === PUBLIC_CACHING;
  const shared = [...named].filter(([name]) => !OF_ONE_ANSWER.has(name)).flat();
  return {
    made: { status: given.statusCode, header: headerOf(named), body: text },
    answer: isForAll ? { body: Buffer.from(text), etag, headers: shared } : undefined,
  };
};

/**
 * The API for loaders: the same routes, guards and kept answers as over the network, without the network. What pages share, as the
 * names of the categories, is asked for once until it changes.
 */
export const inProcessApi =
  (app: FastifyInstance, kept: KeptAnswers | undefined, ip: string): InProcessApi =>
  async (asked) => {
    const { method, path, headers } = asked;
    const scopes =
      method === 'GET' && headers['authorization'] === undefined
        ? kept?.scopesOf(`/api${path.split('?', 1)[0]}`)
        : undefined;
    if (kept === undefined || scopes === undefined) return (await ask(app, ip, asked)).made;
    // Apart from the API's own answers, which the database may have written.
    return sharedBy(kept.cache, `page /api${path}`, scopes, { read: readKept, make: () => ask(app, ip, asked) });
  };
