import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/bookings/bookings.ts';
import { acceptCopy as acceptCopyCall } from '#contract/bookings/promise.ts';
import { PURCHASES } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { listMyBuyers } from './buyers/buyers.service.ts';
import { acceptCopy } from './holds/promise.service.ts';
import { bookCopy } from './booking.service.ts';
import { editContact, listMyBookings, readBooking } from './own-bookings.service.ts';

/**
 * POST and GET /bookings, GET /bookings/my_buyers, GET /bookings/:id, PATCH /bookings/:id, PUT /bookings/:id/promise.
 */
export const bookingRoutes = (
  app: FastifyInstance,
  deps: { db: Db; holdMinutes: number; reachDays: number; publicUrl: string },
): void => {
  const { db, holdMinutes, reachDays, publicUrl } = deps;
  serve(app, contract.bookCopy, { guard: 'buyer', limits: PURCHASES }, ({ viewer, body, idempotencyKey }) =>
    bookCopy(db, viewer, body, { holdMinutes, publicUrl, idempotencyKey }),
  );
  serve(app, contract.listMyBookings, 'buyer', ({ viewer, query }) =>
    listMyBookings(db, viewer, { ...query, reachDays }),
  );
  serve(app, contract.listMyBuyers, 'seller', ({ viewer, query }) => listMyBuyers(db, viewer, { ...query, reachDays }));
  serve(app, contract.readBooking, 'viewer', ({ viewer, params }) => readBooking(db, viewer, { ...params, reachDays }));
  serve(app, contract.editContact, 'buyer', ({ viewer, params, body }) =>
    editContact(db, viewer, { bookingId: params.id, ...body }),
  );
  serve(app, acceptCopyCall, 'buyer', ({ viewer, params, body }) =>
    acceptCopy(db, viewer, { bookingId: params.id, version: body.version }),
  );
};
