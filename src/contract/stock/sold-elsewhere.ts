import { Type } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { Id } from '#contract/scalars.ts';
import { StockCopy } from './stock-copies.ts';

const params = Type.Object({ id: Id });

/**
 * Takes a copy out at once that was sold over the counter or in another shop, and tells who waits for it. 409
 * `copy_locked` while a buyer holds it, with until when, and once it was sold here. Again it is the same answer.
 */
export const sellElsewhere = endpoint({
  method: 'POST',
  path: '/stock/copies/:id/sold-elsewhere',
  summary: 'Takes a copy out that was sold elsewhere',
  access: 'its seller',
  scope: 'stock:write',
  params,
  status: 200,
  answer: StockCopy,
  refused: { _id: null },
  personal: true,
});

/** Puts a copy back that was not sold elsewhere after all, for 24 hours; 409 `stock_state` later. */
export const undoSoldElsewhere = endpoint({
  method: 'DELETE',
  path: '/stock/copies/:id/sold-elsewhere',
  summary: 'Puts a copy back that was not sold elsewhere',
  access: 'its seller',
  scope: 'stock:write',
  params,
  status: 200,
  answer: StockCopy,
  refused: { _id: null },
  personal: true,
});
