import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/users/api-keys.ts';
import { PROOFS } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { listApiKeys, makeApiKey, revokeApiKey } from './api-keys.service.ts';

/** /api-keys: keys of sellers' programs. */
export const apiKeyRoutes = (app: FastifyInstance, { db }: { db: Db }): void => {
  serve(app, contract.listApiKeys, 'seller', ({ viewer }) => listApiKeys(db, viewer));
  serve(app, contract.makeApiKey, { guard: 'seller', limits: PROOFS }, ({ viewer, body }) =>
    makeApiKey(db, viewer, body),
  );
  serve(app, contract.revokeApiKey, 'seller', ({ viewer, params }) => revokeApiKey(db, viewer, params.id));
};
