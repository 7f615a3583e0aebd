import type { FastifyInstance } from 'fastify';
import * as bookings from '#contract/bookings/bookings.ts';
import * as contract from '#contract/bookings/waitlist.ts';
import { perAccount } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { joinWaitlist, leaveWaitlist, listMyWaitlist, readWaitlist } from './waitlist.service.ts';
import { relistCopy, withdrawCopy } from '#server/bookings/holds/resale.service.ts';

/** PUT, DELETE and GET /categories/:id/line, GET /line, and what admins decide about a copy whose sale was refunded. */
export const waitlistRoutes = (app: FastifyInstance, { db }: { db: Db }): void => {
  serve(app, contract.joinWaitlist, { guard: 'buyer', limits: [perAccount(120)] }, ({ viewer, params }) =>
    joinWaitlist(db, viewer, params.id),
  );
  serve(app, contract.leaveWaitlist, 'buyer', ({ viewer, params }) => leaveWaitlist(db, viewer, params.id));
  serve(app, contract.readWaitlist, 'viewer', ({ viewer, params }) => readWaitlist(db, viewer, params.id));
  serve(app, contract.listMyWaitlist, 'buyer', ({ viewer }) => listMyWaitlist(db, viewer));
  serve(app, bookings.relistCopy, 'admin', ({ viewer, params }) => relistCopy(db, viewer, params.id));
  serve(app, bookings.withdrawCopy, 'admin', ({ viewer, params }) => withdrawCopy(db, viewer, params.id));
};
