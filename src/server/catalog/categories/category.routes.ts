import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/catalog/catalog.ts';
import { serve } from '#server/http/serve.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { addCategory, listCategories } from './category.service.ts';

/** GET and POST /categoryName. */
export const categoryRoutes = (app: FastifyInstance, deps: { db: Db }): void => {
  const { db } = deps;
  serve(app, contract.listCategories, 'anyone', async ({ read }) => ({ rows: await read(listCategories) }));
  serve(app, contract.addCategory, 'seller or admin', ({ viewer, body }) => addCategory(db, viewer, body));
};
