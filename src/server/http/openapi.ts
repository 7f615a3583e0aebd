import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify';
import { createHash } from 'node:crypto';
import { describeRefusals, type OpenApiDocument, type RouteFacts } from './openapi-refusals.ts';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
details { border-top: 1px solid #8886; padding: .5rem 0 }
summary { cursor: pointer }
code, pre { font: .875rem/1.5 ui-monospace, monospace }
pre { overflow-x: auto; padding: .75rem; background: #8881; border-radius: .5rem }
b { display: inline-block; min-width: 4.5rem }`;

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

interface Operation {
  summary?: string;
  description?: string;
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

interface DocumentOptions {
  readonly publicUrl: string;
  readonly https: boolean;
}

/** Describes routes in an app that answers nothing: what writes the document is large, and loaded when somebody reads it. */
const documentOf = async (described: readonly RouteOptions[], publicUrl: string): Promise<OpenApiDocument> => {
  const { default: swagger } = await import('@fastify/swagger');
  const paper = Fastify({ exposeHeadRoutes: false });
  paper.setValidatorCompiler(() => () => true);
  paper.setSerializerCompiler(() => JSON.stringify);
  await paper.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Dogear', version: '1', description: 'A marketplace for second-hand books.' },
      servers: [{ url: publicUrl }],
    },
  });
  for (const { method, url, schema } of described) {
    paper.route({ method, url, ...(schema !== undefined && { schema }), handler: async () => {} });
  }
  await paper.ready();
  return structuredClone(paper.swagger()) as OpenApiDocument;
};

/** Collects the routes registered after it into an OpenAPI 3.1 document at `/api/openapi.json`, readable at `/api/docs`. */
export const addOpenApi = (app: FastifyInstance, { publicUrl, https }: DocumentOptions): void => {
  const routes = new Map<string, RouteFacts>();
  const described: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    const { method, url, config, schema } = route;
    const path = url.replace(/:(\w+)/g, '{$1}');
    for (const name of [method].flat()) routes.set(`${name.toLowerCase()} ${path}`, config ?? {});
    if (method !== 'HEAD' && schema?.hide !== true) described.push(route);
  });
  let writing: Promise<OpenApiDocument> | undefined;
  const describe = async (): Promise<OpenApiDocument> => {
    writing ??= documentOf(described, publicUrl).then((document) => describeRefusals(document, routes, https));
    return writing;
  };
  app.get('/api/openapi.json', { schema: { hide: true } }, () => describe());
  app.get('/api/docs', { schema: { hide: true } }, async (_request, reply) => {
    const { paths } = (await describe()) as { paths?: Record<string, Record<string, Operation>> };
    return reply
      .header(
        'content-security-policy',
        `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'`,
      )
      .type('text/html; charset=utf-8')
      .send(pageOf(paths ?? {}));
  });
};
