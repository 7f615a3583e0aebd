import type { FastifyInstance } from 'fastify';
import type { ServerBuild } from 'react-router';
import { rendererOf, type Renderer } from './web-build.ts';

/** Addresses that are the shop's own and none of Vite's. */
const OURS = /^\/(api|standins)(\/|$)/;

/** Never served as a source: the database's folder and its password, keys, the repository. */
const SECRETS = ['**/data/**', '.env', '.env.*', '*.{crt,pem}', '**/.git/**'];

/**
 * Vite inside the shop's own server, with hot reload on the same port; the answered renderer always has the latest
 * sources.
 */
export const startVite = async (app: FastifyInstance): Promise<Renderer> => {
  const { createServer } = await import('vite');
  const vite = await createServer({
    server: { middlewareMode: true, hmr: { server: app.server }, fs: { deny: SECRETS } },
    appType: 'custom',
  });
  app.addHook('onClose', () => vite.close());
  app.addHook('onRequest', async (request, reply) => {
    if (OURS.test(request.url)) return;
    // Vite answers what is a module, style or asset of the sources, and passes on the rest.
    await new Promise<void>((resolve, reject) => {
      reply.raw.once('close', resolve);
      vite.middlewares(request.raw, reply.raw, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
    });
    if (reply.raw.writableEnded) reply.hijack();
  });
  return async (request, deps) => {
    const build = (await vite.ssrLoadModule('virtual:react-router/server-build')) as ServerBuild;
    return rendererOf(build, 'development')(request, deps);
  };
};
