import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/catalog/pausing.ts';
import { perAccount } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { pauseCopy, readShelf, saveShelf, type PausingOptions } from './pausing.service.ts';

/** PUT /products/:id/pause, GET and PUT /shelf/pause. */
export const pausingRoutes = (app: FastifyInstance, { db, ...options }: { db: Db } & PausingOptions): void => {
  serve(app, contract.pauseListing, { guard: 'seller', limits: [perAccount(500)] }, ({ viewer, params, body }) =>
    pauseCopy(db, viewer, { id: params.id, paused: body.paused }, options),
  );
  serve(app, contract.readShelfPause, 'seller', ({ viewer }) => readShelf(db, viewer));
  // Each change may be one of every copy of a seller.
  serve(app, contract.saveShelfPause, { guard: 'seller', limits: [perAccount(60)] }, ({ viewer, body }) =>
    saveShelf(db, viewer, body, options),
  );
};
