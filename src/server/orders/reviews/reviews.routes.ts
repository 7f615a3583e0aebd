import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/orders/reviews.ts';
import { perAccount } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { decideHeldReview, listHeldReviews } from './held-reviews.service.ts';
import { readOrderReviews, replyToReview, writeReview } from './reviews.service.ts';

const WRITES = { guard: 'viewer', limits: [perAccount(60)] } as const;

/**
 * GET /orders/:id/reviews, PUT /orders/:id/review, POST /reviews/:id/reply; for admins GET /reviews/held and POST
 * /reviews/:id/decision.
 */
export const reviewRoutes = (app: FastifyInstance, { db }: { db: Db }): void => {
  serve(app, contract.readOrderReviews, 'viewer', ({ viewer, params }) => readOrderReviews(db, viewer, params.id));
  serve(app, contract.writeReview, WRITES, ({ viewer, params, body }) =>
    writeReview(db, viewer, { id: params.id, draft: body }),
  );
  serve(app, contract.replyToReview, WRITES, ({ viewer, params, body }) =>
    replyToReview(db, viewer, { ...params, ...body }),
  );
  serve(app, contract.listHeldReviews, 'admin', ({ viewer, query }) => listHeldReviews(db, viewer, query));
  serve(app, contract.decideHeldReview, 'admin', ({ viewer, params, body }) =>
    decideHeldReview(db, viewer, { ...params, ...body }),
  );
};
