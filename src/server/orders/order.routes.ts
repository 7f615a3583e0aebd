import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/orders/orders.ts';
import { perAccount } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import type { OrderRules } from './order-moves.service.ts';
import { moveOrder, readOrder } from './order.service.ts';

/** GET /orders/:id and POST /orders/:id/moves. */
export const orderRoutes = (app: FastifyInstance, { db, rules }: { db: Db; rules: OrderRules }): void => {
  serve(app, contract.readOrder, 'viewer', ({ viewer, params }) => readOrder(db, rules, viewer, params.id));
  serve(app, contract.moveOrder, { guard: 'viewer', limits: [perAccount(120)] }, ({ viewer, params, body }) =>
    moveOrder(db, rules, viewer, { id: params.id, input: body }),
  );
};
