import type { FastifyInstance } from 'fastify';
import * as selling from '#contract/programs/sales.ts';
import * as hooks from '#contract/programs/webhooks.ts';
import { perAccount, PROOFS } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import type { OutsideRules } from '#server/platform/outside/request-outside.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { listSales } from './sales/sales.service.ts';
import {
  addWebhook,
  listDeliveries,
  listWebhooks,
  removeWebhook,
  resendDelivery,
  testWebhook,
} from './webhooks/webhooks.service.ts';

/** Each is a request to somebody else's computer. */
const SENDING = perAccount(120);

/** /sales and /webhooks: what programs of sellers read, and where they are told. */
export const programRoutes = (app: FastifyInstance, { db, outside }: { db: Db; outside?: OutsideRules }): void => {
  serve(app, selling.listSales, { guard: 'seller', limits: [perAccount(3_000)] }, ({ viewer, query }) =>
    listSales(db, viewer, query),
  );
  serve(app, hooks.listWebhooks, 'seller', ({ viewer }) => listWebhooks(db, viewer));
  serve(app, hooks.addWebhook, { guard: 'seller', limits: PROOFS }, ({ viewer, body }) =>
    addWebhook(db, viewer, body, outside),
  );
  serve(app, hooks.removeWebhook, 'seller', ({ viewer, params }) => removeWebhook(db, viewer, params.id));
  serve(app, hooks.testWebhook, { guard: 'seller', limits: [SENDING] }, ({ viewer, params }) =>
    testWebhook(db, viewer, params.id),
  );
  serve(app, hooks.listDeliveries, 'seller', ({ viewer, params, query }) =>
    listDeliveries(db, viewer, { ...params, ...query }),
  );
  serve(app, hooks.resendDelivery, { guard: 'seller', limits: [SENDING] }, ({ viewer, params }) =>
    resendDelivery(db, viewer, params),
  );
};
