import type { FastifyInstance } from 'fastify';
import type { EndpointSpec } from '#contract/endpoint.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { checkGuard } from './auth.ts';

/** Turns an endpoint without input into a route that answers a file to keep, for whoever is signed in; refusals are as everywhere. */
export const serveFile = (
  app: FastifyInstance,
  spec: EndpointSpec,
  file: { readonly type: string; readonly name: string },
  write: (viewer: Viewer) => Promise<string>,
): void => {
  app.route({
    method: spec.method,
    url: `/api${spec.path}`,
    config: { endpoint: spec },
    schema: { summary: spec.summary, description: `Who may: ${spec.access}.`, tags: [spec.path.split('/')[1] ?? ''] },
    handler: async (request, reply) => {
      const content = await write(await checkGuard(app, 'viewer', request));
      return reply
        .status(spec.status)
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="${file.name}"`)
        .type(file.type)
        .send(content);
    },
  });
};
