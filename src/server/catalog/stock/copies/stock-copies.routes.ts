import type { FastifyInstance } from 'fastify';
import * as copies from '#contract/stock/stock-copies.ts';
import * as counter from '#contract/stock/sold-elsewhere.ts';
import * as edits from '#contract/stock/stock-edits.ts';
import { perAccount } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import { sellElsewhere, undoSoldElsewhere, type CounterDeps } from './elsewhere.service.ts';
import { listStockCopies, readStockCopy } from './stock-copies.service.ts';
import { editStock, listStockEdits, previewStockEdit, readStockEdit, undoStockEdit } from './stock-edits.service.ts';

/** Each looks at as many copies as a seller has. */
const LOOKS = perAccount(3_000);
const EDITS = perAccount(300);

/** /stock/copies and /stock/edits: all copies of a seller, and edits of many at once. */
export const stockCopiesRoutes = (
  app: FastifyInstance,
  { db, mode, ...counterDeps }: CounterDeps & { mode: 'demo' | 'production' },
): void => {
  serve(app, copies.listStockCopies, { guard: 'seller', limits: [LOOKS] }, ({ viewer, query }) =>
    listStockCopies(db, viewer, query),
  );
  serve(app, copies.readStockCopy, 'seller', ({ viewer, params }) => readStockCopy(db, viewer, params.id));
  serve(app, counter.sellElsewhere, { guard: 'seller', limits: [LOOKS] }, ({ viewer, params }) =>
    sellElsewhere({ db, ...counterDeps }, viewer, params.id),
  );
  serve(app, counter.undoSoldElsewhere, { guard: 'seller', limits: [LOOKS] }, ({ viewer, params }) =>
    undoSoldElsewhere({ db, ...counterDeps }, viewer, params.id),
  );
  serve(app, edits.previewStockEdit, { guard: 'seller', limits: [LOOKS] }, ({ viewer, body }) =>
    previewStockEdit(db, viewer, body),
  );
  serve(app, edits.editStock, { guard: 'seller', limits: [EDITS] }, ({ viewer, params, body }) =>
    editStock(db, viewer, { id: params.id, ...body }, mode),
  );
  serve(app, edits.listStockEdits, 'seller', ({ viewer }) => listStockEdits(db, viewer));
  serve(app, edits.readStockEdit, 'seller', ({ viewer, params }) => readStockEdit(db, viewer, params.id));
  serve(app, edits.undoStockEdit, { guard: 'seller', limits: [EDITS] }, ({ viewer, params }) =>
    undoStockEdit(db, viewer, params.id),
  );
};
