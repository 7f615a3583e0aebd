import type { FastifyInstance } from 'fastify';
import * as bookings from '#contract/bookings/bookings.ts';
import * as contract from '#contract/bookings/line.ts';
import { serve } from '#server/http/serve.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { joinLine, leaveLine, listMyPlaces, readLine } from './line.service.ts';
import { relistCopy, withdrawCopy } from '#server/bookings/holds/resale.service.ts';

/** PUT, DELETE and GET /categories/:id/line, GET /line, and what admins decide about a copy whose sale was refunded. */
export const lineRoutes = (app: FastifyInstance, { db }: { db: Db }): void => {
  serve(app, contract.joinLine, 'buyer', ({ viewer, params }) => joinLine(db, viewer, params.id));
  serve(app, contract.leaveLine, 'buyer', ({ viewer, params }) => leaveLine(db, viewer, params.id));
  serve(app, contract.readLine, 'viewer', ({ viewer, params }) => readLine(db, viewer, params.id));
  serve(app, contract.listMyPlaces, 'buyer', ({ viewer }) => listMyPlaces(db, viewer));
  serve(app, bookings.relistCopy, 'admin', ({ viewer, params }) => relistCopy(db, viewer, params.id));
  serve(app, bookings.withdrawCopy, 'admin', ({ viewer, params }) => withdrawCopy(db, viewer, params.id));
};
