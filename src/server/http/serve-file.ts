import type { FastifyInstance } from 'fastify';
import type { EndpointSpec, Input } from '#contract/endpoint.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import type { Guard } from './auth.ts';
import { guardRoute, viewerOf } from './route-guard.ts';

/** Turns an endpoint without body into a route that answers a file to keep; refusals are as everywhere. */
export const serveFile = <E extends EndpointSpec>(
  app: FastifyInstance,
  spec: E,
  guard: Guard,
  file: { readonly type: string; readonly name: string },
  write: (viewer: Viewer, input: Input<E>) => Promise<string>,
): void => {
  app.route({
    method: spec.method,
    url: `/api${spec.path}`,
    config: { endpoint: spec, guard, fileType: file.type },
    ...guardRoute(app, spec, guard),
    schema: {
      summary: spec.summary,
      description: `Who may: ${spec.access}.`,
      tags: [spec.path.split('/')[1] ?? ''],
      ...(spec.query && { querystring: spec.query }),
    },
    handler: async (request, reply) => {
      const viewer = await viewerOf(app, spec, guard, request);
      // Fastify checked the query against the contract's own schema a moment ago.
      const input: object = { query: request.query };
      const content = await write(viewer, input as Input<E>);
      return reply
        .status(spec.status)
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="${file.name}"`)
        .type(file.type)
        .send(content);
    },
  });
};
