import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/bookings/dashboard.ts';
import { serve } from '#server/http/serve.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { readSummary } from './summary.service.ts';

/** GET /dashboard/summary. */
export const summaryRoutes = (app: FastifyInstance, deps: { db: Db }): void => {
  serve(app, contract.readSummary, 'viewer', ({ viewer }) => readSummary(deps.db, viewer));
};
