import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/law/identity.ts';
import { serve } from '#server/http/serve.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { confirmIdentity, readOwnIdentity } from './identity-checks.service.ts';

/** GET /identity, PUT /users/:id/identity. */
export const identityCheckRoutes = (app: FastifyInstance, { db }: { db: Db }): void => {
  serve(app, contract.readOwnIdentity, 'seller', ({ viewer }) => readOwnIdentity(db, viewer));
  serve(app, contract.confirmIdentity, 'admin', ({ viewer, params, body }) =>
    confirmIdentity(db, viewer, { id: params.id, reason: body.reason }),
  );
};
