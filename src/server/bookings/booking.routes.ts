import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/bookings.ts';
import { serve } from '#server/http/serve.ts';
import type { Db } from '#server/platform/db.ts';
import { listMyBuyers } from './buyers.service.ts';
import { bookCopy, listMyBookings, readBooking } from './booking.service.ts';

/** POST and GET /bookings, GET /bookings/my_buyers, GET /bookings/:id. */
export const bookingRoutes = (app: FastifyInstance, deps: { db: Db; holdMinutes: number }): void => {
  const { db, holdMinutes } = deps;
  serve(app, contract.bookCopy, 'viewer', ({ viewer, body, idempotencyKey }) =>
    bookCopy(db, viewer, body, { holdMinutes, idempotencyKey }),
  );
  serve(app, contract.listMyBookings, 'viewer', ({ viewer, query }) => listMyBookings(db, viewer, query));
  serve(app, contract.listMyBuyers, 'viewer', ({ viewer, query }) => listMyBuyers(db, viewer, query));
  serve(app, contract.readBooking, 'viewer', ({ viewer, params }) => readBooking(db, viewer, params.id));
};
