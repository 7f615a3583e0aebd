import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/catalog/category-admin.ts';
import { serve } from '#server/http/serve.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { deleteCategory, listCategoryUse, mergeCategory, renameCategory } from './category-admin.service.ts';

/** GET /categoryName/use, PATCH and DELETE /categoryName/:id, POST /categoryName/:id/merge. */
export const categoryAdminRoutes = (app: FastifyInstance, deps: { db: Db }): void => {
  const { db } = deps;
  serve(app, contract.listCategoryUse, 'admin', async ({ viewer }) => ({ rows: await listCategoryUse(db, viewer) }));
  serve(app, contract.renameCategory, 'admin', ({ viewer, params, body }) =>
    renameCategory(db, viewer, { id: params.id, category_name: body.category_name }),
  );
  serve(app, contract.mergeCategory, 'admin', ({ viewer, params, body }) =>
    mergeCategory(db, viewer, { id: params.id, into: body.into }),
  );
  serve(app, contract.deleteCategory, 'admin', ({ viewer, params }) => deleteCategory(db, viewer, params.id));
};
