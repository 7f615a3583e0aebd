import type { FastifyInstance } from 'fastify';
import * as notes from '#contract/messages/notes.ts';
import * as contract from '#contract/orders/orders.ts';
import { perAccount } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import type { OrderRules } from './order-moves.service.ts';
import { listNotes, readNotes, writeNote } from './notes/notes.service.ts';
import { moveOrder, readOrder } from './order.service.ts';

/** Each is a mail to the other side. */
const NOTES = { guard: 'viewer', limits: [perAccount(30)] } as const;

/** GET /orders/:id, POST /orders/:id/moves, GET and POST /orders/:id/notes, PUT /orders/:id/notes/read. */
export const orderRoutes = (app: FastifyInstance, { db, rules }: { db: Db; rules: OrderRules }): void => {
  serve(app, contract.readOrder, 'viewer', ({ viewer, params }) => readOrder(db, rules, viewer, params.id));
  serve(
    app,
    contract.moveOrder,
    { guard: 'viewer', limits: [perAccount(120)] },
    ({ viewer, params, body, idempotencyKey }) =>
      moveOrder(db, rules, viewer, { id: params.id, input: body, idempotencyKey }),
  );
  serve(app, notes.listNotes, 'viewer', ({ viewer, params, query }) => listNotes(db, viewer, { ...params, ...query }));
  serve(app, notes.writeNote, NOTES, ({ viewer, params, body, idempotencyKey }) =>
    writeNote(db, viewer, { ...params, ...body, reachDays: rules.reachDays, idempotencyKey }),
  );
  serve(app, notes.readNotes, 'viewer', ({ viewer, params, body }) => readNotes(db, viewer, { ...params, ...body }));
};
