import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/bookings/standing.ts';
import { serve } from '#server/http/serve.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { listStandings } from './standing.service.ts';

/** GET /standing. */
export const standingRoutes = (app: FastifyInstance, deps: { db: Db }): void => {
  serve(app, contract.listStandings, 'viewer', ({ viewer, query }) => listStandings(deps.db, viewer, query));
};
