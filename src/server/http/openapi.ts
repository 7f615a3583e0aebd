import { createHash } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifySchema, type RouteOptions } from 'fastify';
import { ErrorBody } from '#contract/errors.ts';
import { escape } from '#server/platform/escape.ts';
import { memoise } from '#server/platform/memoise.ts';
import { sessionCookieName, type Guard } from './auth.ts';

interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: string[];
  responses?: object;
}

interface OpenApiDocument {
  tags?: { name: string; description: string }[];
  readonly paths?: Record<string, Record<string, Operation>>;
}

const BEARER = { accessToken: [] };
const COOKIE = { session: [] };
/** The proofs a guard takes; an empty one is none. Others take a bearer token alone. */
const PROOFS: Partial<Record<Guard, Record<string, string[]>[]>> = {
  anyone: [{}, BEARER],
  session: [BEARER, COOKIE],
  leaving: [BEARER, COOKIE],
  cookie: [COOKIE],
  'own-check': [],
};

const REFUSALS = {
  400: 'The request cannot be read, or something in it is wrong; `fields` says what',
  401: 'Nobody is signed in, or the proof of it is not believed',
  403: 'Whoever is signed in may not do this',
  404: 'There is nothing here, or nothing that this caller may know of',
  409: 'Something else has happened meanwhile; `code` says what',
  429: 'Too many requests',
  500: 'A defect of the shop',
  default: 'Refused; `code` says why',
} as const;

const content = { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } };
const retryAfter = { description: 'Seconds until it is worth trying again', schema: { type: 'string' as const } };
const refusals = Object.fromEntries(
  Object.entries(REFUSALS).map(([status, description]) => [
    `Refusal-${status}`,
    { description, content, ...(status === '429' && { headers: { 'Retry-After': retryAfter } }) },
  ]),
);
const references = Object.fromEntries(
  Object.keys(REFUSALS).map((status) => [status, { $ref: `#/components/responses/Refusal-${status}` }]),
);

/** `GET /api/categories/:id` becomes `getCategoriesById`. */
const operationIdOf = (method: string, url: string): string =>
  method.toLowerCase() +
  url
    .replace(/^\/api/, '')
    .replaceAll(':', 'by-')
    .replace(/[-/_.]+([a-zA-Z]?)/g, (_, letter: string) => letter.toUpperCase());

/** What the document says of a route at the address `shown`; what has no tags is not in it. */
const operationOf = ({ method, url, schema, config }: RouteOptions, shown: string): FastifySchema => {
  const operationId = operationIdOf(String(method), url);
  const { endpoint: spec, guard } = config ?? {};
  if (spec === undefined || guard === undefined) return { ...schema, operationId };
  const type = spec.file?.type ?? spec.stream;
  const answer = spec.file ? { type: 'string', description: 'A file' } : spec.answer;
  return {
    operationId,
    summary: spec.summary,
    description: `Who may: ${spec.access}.${spec.scope === undefined ? '' : ` A key with ${spec.scope} may, too.`}`,
    tags: [spec.path.split('/')[1] ?? ''],
    security: [...(PROOFS[guard] ?? [BEARER]), ...(spec.scope === undefined ? [] : [{ key: [spec.scope] }])],
    ...(shown === url && spec.params && { params: spec.params }),
    ...(spec.query && { querystring: spec.query }),
    ...(spec.body && { body: spec.optionalBody === true ? { ...spec.body, type: ['object', 'null'] } : spec.body }),
    ...(spec.upload && { consumes: [...spec.upload.types], body: { type: 'string', format: 'binary' } }),
    ...(type !== undefined && {
      produces: [type, ...(spec.file?.otherType === undefined ? [] : [spec.file.otherType])].map(
        (one) => one.split(';', 1)[0] ?? '',
      ),
    }),
    response: { [spec.status]: answer, ...(spec.otherStatus !== undefined && { [spec.otherStatus]: answer }) },
  };
};

interface DocumentOptions {
  readonly publicUrl: string;
  readonly https: boolean;
}

/**
 * Describes routes in an app that answers nothing: what writes the document takes 120 ms and 13 MB, and is loaded when
 * somebody reads it.
 */
const documentOf = async (routes: readonly RouteOptions[], options: DocumentOptions): Promise<OpenApiDocument> => {
  const { default: swagger } = await import('@fastify/swagger');
  const paper = Fastify({ exposeHeadRoutes: false });
  paper.setValidatorCompiler(() => () => true);
  paper.setSerializerCompiler(() => JSON.stringify);
  const accessToken = {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'From GET /jwt, for ten minutes; issued and checked by RFC8725.',
  } as const;
  const key = {
    type: 'http',
    scheme: 'bearer',
    description: 'Of a seller’s program: dg_… from POST /api-keys, good for its scopes alone.',
  } as const;
  const session = { type: 'apiKey', in: 'cookie', name: sessionCookieName(options.https) } as const;
  await paper.register(swagger, {
    hideUntagged: true,
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Dogear', version: '1', description: 'A marketplace for second-hand books.' },
      servers: [{ url: options.publicUrl }],
      components: {
        securitySchemes: { accessToken, key, session },
        schemas: { Refusal: ErrorBody },
        responses: refusals,
      },
    },
  });
  const firstOf = new Map<string, string>();
  for (const route of routes) {
    // Two paths that differ in nothing but what a parameter is called are one to a reader (OpenAPI 3.1, 4.8.8.2): the
    // later one is told by the name of the first.
    const shape = route.url.replace(/:\w+/g, ':');
    const url = firstOf.get(shape) ?? route.url;
    firstOf.set(shape, url);
    paper.route({ method: route.method, url, schema: operationOf(route, url), handler: async () => {} });
  }
  await paper.ready();
  const document = paper.swagger() as OpenApiDocument;
  const operations = Object.values(document.paths ?? {}).flatMap((methods) => Object.values(methods));
  for (const operation of operations) operation.responses = { ...references, ...operation.responses };
  const tags = new Set(operations.flatMap((operation) => operation.tags ?? []));
  document.tags = [...tags].map((name) => ({ name, description: `Calls below /api/${name}` }));
  return document;
};

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
summary { cursor: pointer }
pre { overflow-x: auto }`;

const operationHtml = (path: string, method: string, operation: Operation): string => `<details>
<summary><b>${escape(method.toUpperCase())}</b> <code>${escape(path)}</code> ${escape(operation.summary ?? '')}</summary>
<p>${escape(operation.description ?? '')}</p>
<pre>${escape(JSON.stringify(operation, null, 2))}</pre>
</details>`;

const pageOf = ({ paths = {} }: OpenApiDocument): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Dogear API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head>
<body><main><h1>Dogear API</h1>
<p>Every call, who may make it, what it takes and answers. The same as data: <a href="/api/openapi.json">openapi.json</a>.</p>
${Object.entries(paths)
  .flatMap(([path, methods]) => Object.entries(methods).map(([method, one]) => operationHtml(path, method, one)))
  .join('\n')}
</main></body></html>`;

const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'`;

/**
 * Collects the routes registered after it into an OpenAPI 3.1 document at `/api/openapi.json`, readable at `/api/docs`.
 */
export const addOpenApi = (app: FastifyInstance, options: DocumentOptions): void => {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') routes.push(route);
  });
  const describe = memoise(() => documentOf(routes, options));
  const written = memoise(async () => JSON.stringify(await describe()));
  app.get('/api/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(await written()),
  );
  app.get('/api/docs', async (_request, reply) =>
    reply
      .header('content-security-policy', PAGE_POLICY)
      .type('text/html; charset=utf-8')
      .send(pageOf(await describe())),
  );
};
