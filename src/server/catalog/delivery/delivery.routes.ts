import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/delivery/delivery-calls.ts';
import { perAccount } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { readCopyDelivery, readDelivery, saveCopyDelivery, saveDelivery } from './delivery.service.ts';

/** GET and PUT /sellers/delivery and /products/:id/delivery. */
export const deliveryRoutes = (app: FastifyInstance, { db }: { db: Db }): void => {
  serve(app, contract.readDelivery, 'seller', ({ viewer }) => readDelivery(db, viewer));
  // Each change makes the pages of all of a seller's copies anew.
  serve(app, contract.saveDelivery, { guard: 'seller', limits: [perAccount(60)] }, ({ viewer, body }) =>
    saveDelivery(db, viewer, body),
  );
  serve(app, contract.readCopyDelivery, 'seller', ({ viewer, params }) => readCopyDelivery(db, viewer, params.id));
  serve(app, contract.saveCopyDelivery, { guard: 'seller', limits: [perAccount(500)] }, ({ viewer, params, body }) =>
    saveCopyDelivery(db, viewer, { listingId: params.id, draft: body }),
  );
};
