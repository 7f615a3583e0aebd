import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/money/charts.ts';
import { serve } from '#server/http/serve.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { readDashboardCharts } from './charts.service.ts';

/** GET /dashboard/charts; weeks are those of the shop's zone. */
export const chartRoutes = (app: FastifyInstance, { db, timeZone }: { db: Db; timeZone: string }): void => {
  serve(app, contract.readDashboardCharts, 'viewer', ({ viewer }) => readDashboardCharts(db, viewer, timeZone));
};
