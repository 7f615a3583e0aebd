import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';

/** `csv` is the shop's own: all that it knows, and brought back it changes nothing. `excel`: safe to open in one. */
export const StockFormat = Type.Union([
  Type.Literal('csv'),
  Type.Literal('excel'),
  Type.Literal('uiee'),
  Type.Literal('abebooks'),
  Type.Literal('biblio'),
]);
export type StockFormat = Static<typeof StockFormat>;

/**
 * All copies on the seller's shelf as a file, written while it is sent. Copies that are not alike have rows of their
 * own (`SKU#2`), and one without a SKU goes by its id. AbeBooks and Biblio would sell what is paused: it is left out.
 */
export const exportStock = endpoint({
  method: 'GET',
  path: '/stock/export',
  summary: 'The seller’s stock as a file',
  access: 'seller',
  scope: 'stock:read',
  query: Type.Object({ format: StockFormat }),
  status: 200,
  answer: Type.String(),
  file: { type: 'text/csv; charset=utf-8', name: 'stock.csv', otherType: 'text/plain; charset=utf-8' },
  personal: true,
});
