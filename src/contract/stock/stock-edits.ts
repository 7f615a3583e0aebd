import { Type, type Static } from 'typebox';
import { Condition } from '#contract/catalog/catalog.ts';
import { endpoint } from '#contract/endpoint.ts';
import { CategoryId, Dollars, Id, IsoTime } from '#contract/scalars.ts';
import { StockFilter } from './stock-copies.ts';

/** So many copies may be named one by one. */
export const MAX_NAMED_COPIES = 2_000;

const Named = Type.Array(Id, { maxItems: MAX_NAMED_COPIES });

/** Copies that are named; else all that a filter finds, but for some. */
export const StockSelection = Type.Object({
  ids: Type.Optional(Named),
  filter: Type.Optional(Type.Object(StockFilter)),
  except: Type.Optional(Named),
});
export type StockSelection = Static<typeof StockSelection>;

/** How a price is rounded: to the cent, to half a dollar, to a dollar, or to 99 cents. */
export const Rounding = Type.Union([
  Type.Literal('cent'),
  Type.Literal('half'),
  Type.Literal('dollar'),
  Type.Literal('99'),
]);
export type Rounding = Static<typeof Rounding>;

/**
 * What is to become of copies; what is left out stays. `value` is US dollars, or percent: negative takes off.
 * `delivery`: `settings` is as for all of the seller's books.
 */
export const StockChange = Type.Object({
  price: Type.Optional(
    Type.Object({
      by: Type.Union([Type.Literal('amount'), Type.Literal('percent'), Type.Literal('to')]),
      value: Type.Number({ minimum: -100_000, maximum: 100_000 }),
      round: Rounding,
    }),
  ),
  condition: Type.Optional(Condition),
  category: Type.Optional(CategoryId),
  delivery: Type.Optional(
    Type.Union([Type.Literal('settings'), Type.Literal('pickup'), Type.Literal('post'), Type.Literal('both')]),
  ),
  paused: Type.Optional(Type.Boolean()),
  remove: Type.Optional(Type.Literal(true)),
});
export type StockChange = Static<typeof StockChange>;

/** Why copies are left as they are. */
export const LeftBecause = Type.Union([
  Type.Literal('unchanged'),
  Type.Literal('held'),
  Type.Literal('sold'),
  Type.Literal('look'),
  Type.Literal('graded'),
  Type.Literal('price'),
]);
export type LeftBecause = Static<typeof LeftBecause>;

/** What an edit would do: how many copies change, how many are left and why, and the first five that change. */
export const StockEditPreview = Type.Object({
  copies: Type.Integer(),
  changes: Type.Integer(),
  left: Type.Array(Type.Object({ because: LeftBecause, copies: Type.Integer() })),
  examples: Type.Array(Type.Object({ _id: Id, title: Type.String(), before: Dollars, after: Dollars })),
});
export type StockEditPreview = Static<typeof StockEditPreview>;

export const StockEditState = Type.Union([
  Type.Literal('committing'),
  Type.Literal('done'),
  Type.Literal('undoing'),
  Type.Literal('undone'),
]);

/** An edit of many copies; `name` says what it does. `left`: the first 100 copies that an undo had to leave. */
export const StockEdit = Type.Object({
  id: Id,
  name: Type.String(),
  state: StockEditState,
  problem: Type.String(),
  doneCopies: Type.Integer(),
  allCopies: Type.Integer(),
  changed: Type.Integer(),
  left: Type.Array(Type.Object({ sku: Type.String(), title: Type.String(), status: Type.String() })),
  createdAt: IsoTime,
  undoUntil: Type.Union([IsoTime, Type.Null()]),
});
export type StockEdit = Static<typeof StockEdit>;

const params = Type.Object({ id: Id });
const body = { selection: StockSelection, change: StockChange };

/** 400 with `fields` for what cannot be, or for no change at all. Nothing is written. */
export const previewStockEdit = endpoint({
  method: 'POST',
  path: '/stock/edits/preview',
  summary: 'What an edit of many copies would do',
  access: 'seller',
  scope: 'stock:read',
  body: Type.Object(body),
  status: 200,
  answer: StockEditPreview,
  refused: { copies: 0 },
  personal: true,
});

/**
 * Begins an edit under an id that the client makes: again it is the same answer. `copies`: how many were looked at; 409
 * `stock_differs` where they are another number by now. 409 `stock_busy` while a file or another edit is being written.
 */
export const editStock = endpoint({
  method: 'PUT',
  path: '/stock/edits/:id',
  summary: 'Edits many copies',
  access: 'seller',
  scope: 'stock:write',
  params,
  body: Type.Object({ ...body, copies: Type.Integer({ minimum: 0 }) }),
  status: 200,
  answer: StockEdit,
  refused: { id: null },
  personal: true,
});

export const listStockEdits = endpoint({
  method: 'GET',
  path: '/stock/edits',
  summary: 'The last 10 edits of the seller, the newest first',
  access: 'seller',
  scope: 'stock:read',
  status: 200,
  answer: Type.Object({ edits: Type.Array(StockEdit) }),
  refused: { edits: [] },
  personal: true,
});

export const readStockEdit = endpoint({
  method: 'GET',
  path: '/stock/edits/:id',
  summary: 'An edit of many copies: how far it is, and what it did',
  access: 'its seller',
  scope: 'stock:read',
  params,
  status: 200,
  answer: StockEdit,
  refused: { id: null },
  personal: true,
});

/** Takes an edit back, for 24 hours; what is held or sold by then stays. */
export const undoStockEdit = endpoint({
  method: 'POST',
  path: '/stock/edits/:id/undo',
  summary: 'Undoes an edit of many copies',
  access: 'its seller',
  scope: 'stock:write',
  params,
  status: 200,
  answer: StockEdit,
  refused: { id: null },
  personal: true,
});
