import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/catalog/catalog.ts';
import { listEditionCopies as editionCopies } from '#contract/catalog/editions/editions.ts';
import { readPopular as popularBooks } from '#contract/catalog/editions/popular.ts';
import { perAccount } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { listEditionCopies } from '#server/catalog/editions.service.ts';
import type { SellingOptions } from './listing.policy.ts';
import { deleteListing, editListing, type DeletingDeps } from './managing.service.ts';
import {
  countListings,
  listCategoryListings,
  listListings,
  listMyListings,
  offerListing,
  readListing,
  readPopular,
} from './listing.service.ts';

/**
 * GET and POST /categories, GET, PATCH and DELETE /categories/:id, /categories/:id/copies, /categories/count,
 * /categories/my_products, /category/:id and /popular.
 */
export const listingRoutes = (
  app: FastifyInstance,
  deps: DeletingDeps & {
    db: Db;
    config: Config;
    pictures: SellingOptions['pictures'];
    holdForLook: SellingOptions['holdForLook'];
  },
): void => {
  const { db, config, pictures, holdForLook } = deps;
  const options = { mode: config.mode, publicUrl: config.publicUrl, pictures, holdForLook };
  serve(app, contract.listListings, 'anyone', ({ viewer, query, read }) =>
    read((db) => listListings(db, viewer, query)),
  );
  serve(app, contract.listCategoryListings, 'anyone', ({ viewer, params, query, read }) =>
    read((db) => listCategoryListings(db, viewer, { categoryId: params.id, ...query })),
  );
  serve(app, contract.countListings, 'anyone', ({ read }) => read(countListings));
  serve(app, popularBooks, 'anyone', ({ read }) => read(readPopular));
  serve(app, contract.listMyListings, 'seller', ({ viewer, query }) => listMyListings(db, viewer, query));
  serve(app, contract.readListing, 'anyone', ({ viewer, params, read }) =>
    read((db) => readListing(db, viewer, { id: params.id, reachDays: config.orders.reachDays })),
  );
  serve(app, editionCopies, 'anyone', ({ params, read }) => read((db) => listEditionCopies(db, params.id)));
  serve(app, contract.offerListing, { guard: 'seller', limits: [perAccount(500)] }, ({ viewer, body }) =>
    offerListing(db, viewer, body, options),
  );
  serve(app, contract.editListing, { guard: 'seller', limits: [perAccount(500)] }, ({ viewer, params, body }) =>
    editListing(db, viewer, { id: params.id, edit: body }, options),
  );
  serve(app, contract.deleteListing, 'seller or admin', ({ viewer, params, body }) =>
    deleteListing(db, viewer, { id: params.id, reason: body?.reason }, deps),
  );
};
