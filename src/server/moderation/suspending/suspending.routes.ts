import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/admin/suspending.ts';
import { serve } from '#server/http/serve.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { liftSuspension, readOwnSuspension, suspendUser } from './suspending.service.ts';

/** PUT and DELETE /users/suspended/:id, and GET /account/suspension. */
export const suspendingRoutes = (app: FastifyInstance, { db }: { db: Db }): void => {
  serve(app, contract.suspendUser, 'admin', ({ viewer, params, body }) =>
    suspendUser(db, viewer, { ...params, ...body }),
  );
  serve(app, contract.liftSuspension, 'admin', ({ viewer, params }) => liftSuspension(db, viewer, params.id));
  serve(app, contract.readOwnSuspension, 'viewer', ({ viewer }) => readOwnSuspension(db, viewer));
};
