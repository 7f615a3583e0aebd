import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/catalog/authors.ts';
import { perNetworkAMinute } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import { readAuthor } from './author.service.ts';

/** GET /author/:slug. */
export const authorRoutes = (app: FastifyInstance): void => {
  // A search engine that knows all pages asks for a few a second; each costs as much as the author has copies.
  serve(app, contract.readAuthor, { guard: 'anyone', limits: [perNetworkAMinute(600)] }, ({ params, query, read }) =>
    read((db) => readAuthor(db, { slug: params.slug, ...query })),
  );
};
