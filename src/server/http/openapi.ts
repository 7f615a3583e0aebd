import { createHash } from 'node:crypto';
import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import { ErrorBody } from '#contract/errors.ts';
import { sessionCookieName, type Guard } from './auth.ts';
import { escape } from './escape.ts';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
details { border-top: 1px solid #8886; padding: .5rem 0 }
summary { cursor: pointer }
code, pre { font: .875rem/1.5 ui-monospace, monospace }
pre { overflow-x: auto; padding: .75rem; background: #8881; border-radius: .5rem }
b { display: inline-block; min-width: 4.5rem }`;

interface Operation {
  summary?: string;
  description?: string;
  tags?: string[];
  responses?: Record<string, unknown>;
}

interface OpenApiDocument {
  tags?: { name: string; description: string }[];
  paths?: Record<string, Record<string, Operation>>;
}

const operationHtml = (path: string, method: string, operation: Operation): string => `<details>
<summary><b>${escape(method.toUpperCase())}</b> <code>${escape(path)}</code> ${escape(operation.summary ?? '')}</summary>
<p>${escape(operation.description ?? '')}</p>
<pre>${escape(JSON.stringify(operation, null, 2))}</pre>
</details>`;

const pageOf = (paths: Record<string, Record<string, Operation>>): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Dogear API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head>
<body><main><h1>Dogear API</h1>
<p>Every call, who may make it, what it takes and answers. The same as data: <a href="/api/openapi.json">openapi.json</a>.</p>
${Object.entries(paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationHtml(path, method, operation)),
  )
  .join('\n')}
</main></body></html>`;

const styleHash = createHash('sha256').update(STYLE).digest('base64');

/** The proofs a guard takes; an empty one is none. */
const PROOFS: Readonly<Record<Guard, Record<string, string[]>[]>> = {
  anyone: [{}, { accessToken: [] }],
  viewer: [{ accessToken: [] }],
  buyer: [{ accessToken: [] }],
  seller: [{ accessToken: [] }],
  admin: [{ accessToken: [] }],
  'seller or admin': [{ accessToken: [] }],
  session: [{ accessToken: [] }, { session: [] }],
  leaving: [{ accessToken: [] }, { session: [] }],
  cookie: [{ session: [] }],
  'own-check': [],
};

const REFUSALS: Readonly<Record<string, string>> = {
  400: 'The request cannot be read, or something in it is wrong; `fields` says what',
  401: 'Nobody is signed in, or the proof of it is not believed',
  403: 'Whoever is signed in may not do this',
  404: 'There is nothing here, or nothing that this caller may know of',
  409: 'Something else has happened meanwhile; `code` says what',
  429: 'Too many requests',
  500: 'A defect of the shop',
  default: 'Refused; `code` says why',
};

const RETRY_AFTER = {
  description: 'Seconds until it is worth trying again',
  schema: { type: 'string', pattern: '^[0-9]+$' } as const,
};

const refusals = Object.fromEntries(
  Object.entries(REFUSALS).map(([status, description]) => [
    `Refusal-${status}`,
    {
      description,
      ...(status === '429' && { headers: { 'Retry-After': RETRY_AFTER } }),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
    },
  ]),
);

const securitySchemes = (https: boolean) => ({
  accessToken: {
    type: 'http' as const,
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'From GET /jwt, for ten minutes; issued and checked by RFC8725.',
  },
  session: { type: 'apiKey' as const, in: 'cookie', name: sessionCookieName(https) },
});

interface DocumentOptions {
  readonly publicUrl: string;
  readonly https: boolean;
}

/** `GET /api/categories/:id` becomes `getCategoriesById`. */
const operationIdOf = (method: string, url: string): string =>
  method.toLowerCase() +
  url
    .replace(/^\/api/, '')
    .replaceAll(':', 'by-')
    .replace(/[-/_.]+([a-zA-Z]?)/g, (_, letter: string) => letter.toUpperCase());

const namesIn = (url: string): string[] => [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name);

/**
 * Two paths that differ in nothing but what a parameter is called are one to whoever reads the document (OpenAPI 3.1,
 * 4.8.8.2): the later one is told by the names of the first. On the wire a parameter in a path has no name.
 */
const withNamesOf = (first: string, url: string, params: TObject): Record<string, TSchema> => {
  const names = namesIn(first);
  const renamed = namesIn(url).map((name, place) => [names[place] ?? name, params.properties[name]]);
  return { params: { ...params, properties: Object.fromEntries(renamed), required: names } };
};

/**
 * Describes routes in an app that answers nothing: what writes the document is large, and loaded when somebody reads
 * it.
 */
const documentOf = async (
  described: readonly RouteOptions[],
  { publicUrl, https }: DocumentOptions,
): Promise<OpenApiDocument> => {
  const { default: swagger } = await import('@fastify/swagger');
  const paper = Fastify({ exposeHeadRoutes: false });
  paper.setValidatorCompiler(() => () => true);
  paper.setSerializerCompiler(() => JSON.stringify);
  await paper.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Dogear', version: '1', description: 'A marketplace for second-hand books.' },
      servers: [{ url: publicUrl }],
      components: { securitySchemes: securitySchemes(https), schemas: { Refusal: ErrorBody }, responses: refusals },
    },
  });
  const firstOf = new Map<string, string>();
  for (const { method, url, schema, config } of described) {
    const shape = url.replace(/:\w+/g, ':');
    const first = firstOf.get(shape) ?? url;
    firstOf.set(shape, first);
    for (const one of [method].flat()) {
      const operation = {
        ...schema,
        ...(first !== url && withNamesOf(first, url, schema?.params as TObject)),
        operationId: operationIdOf(one, url),
        ...(config?.guard !== undefined && { security: PROOFS[config.guard] }),
        ...(config?.endpoint?.file && {
          produces: [config.endpoint.file.type.split(';', 1)[0] ?? ''],
          response: { 200: { type: 'string', description: 'A file' } },
        }),
      };
      paper.route({ method: one, url: first, schema: operation, handler: async () => {} });
    }
  }
  await paper.ready();
  const document = structuredClone(paper.swagger()) as OpenApiDocument;
  const operations = Object.values(document.paths ?? {}).flatMap((methods) => Object.values(methods));
  const references = Object.keys(REFUSALS).map((status) => [
    status,
    { $ref: `#/components/responses/Refusal-${status}` },
  ]);
  for (const operation of operations)
    operation.responses = { ...Object.fromEntries(references), ...operation.responses };
  const tags = new Set(operations.flatMap((operation) => operation.tags ?? []));
  document.tags = [...tags].map((name) => ({ name, description: `Calls below /api/${name}` }));
  return document;
};

/**
 * Collects the routes registered after it into an OpenAPI 3.1 document at `/api/openapi.json`, readable at `/api/docs`.
 */
export const addOpenApi = (app: FastifyInstance, options: DocumentOptions): void => {
  const described: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD' && route.schema?.hide !== true) described.push(route);
  });
  let writing: Promise<OpenApiDocument> | undefined;
  const describe = (): Promise<OpenApiDocument> => (writing ??= documentOf(described, options));
  app.get('/api/openapi.json', { schema: { hide: true } }, () => describe());
  app.get('/api/docs', { schema: { hide: true } }, async (_request, reply) => {
    const { paths } = await describe();
    return reply
      .header(
        'content-security-policy',
        `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'`,
      )
      .type('text/html; charset=utf-8')
      .send(pageOf(paths ?? {}));
  });
};
