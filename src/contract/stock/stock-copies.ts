import { Type, type Static } from 'typebox';
import { Condition } from '#contract/catalog/catalog.ts';
import { endpoint } from '#contract/endpoint.ts';
import { CategoryId, Dollars, Id, IsoTime, SortedPageQuery, Text } from '#contract/scalars.ts';

/** Where copies stand: `there` is all that the seller still has, `elsewhere` what was sold over the counter. */
export const StockStanding = Type.Union([
  Type.Literal('there'),
  Type.Literal('available'),
  Type.Literal('held'),
  Type.Literal('paused'),
  Type.Literal('sold'),
  Type.Literal('elsewhere'),
]);
export type StockStanding = Static<typeof StockStanding>;

/**
 * Which of the own copies. `q`: each of its words begins one of the title, the authors, the publisher or the details,
 * or is in the SKU, the ISBN or the shelf. Prices in US dollars, both ends included.
 */
export const StockFilter = {
  q: Type.Optional(Text(200)),
  standing: Type.Optional(StockStanding),
  category: Type.Optional(CategoryId),
  condition: Type.Optional(Condition),
  min: Type.Optional(Type.String({ pattern: '^[0-9]{1,6}([.][0-9]{1,2})?$' })),
  max: Type.Optional(Type.String({ pattern: '^[0-9]{1,6}([.][0-9]{1,2})?$' })),
};
const Filter = Type.Object(StockFilter);
export type StockFilter = Static<typeof Filter>;

const uuid = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const IdList = Type.String({ pattern: `^${uuid}(,${uuid}){0,99}$` });

export const StockSort = Type.Union([
  Type.Literal('newest'),
  Type.Literal('title-up'),
  Type.Literal('title-down'),
  Type.Literal('price-up'),
  Type.Literal('price-down'),
  Type.Literal('sku-up'),
  Type.Literal('sku-down'),
  Type.Literal('shelf-up'),
  Type.Literal('shelf-down'),
]);
export type StockSort = Static<typeof StockSort>;

/**
 * An own copy as its seller keeps it. `sku` is `""` where it was listed by hand, `8#2` for the second copy of a SKU
 * that has several; `cost` in US dollars, null where it is not known. `isPaused`: by itself, and not with the shelf.
 */
export const StockCopy = Type.Object({
  _id: Id,
  sku: Type.String(),
  title: Type.String(),
  authors: Type.String(),
  isbn13: Type.String(),
  image_url: Type.String(),
  price: Dollars,
  condition: Condition,
  category_id: CategoryId,
  category_name: Type.String(),
  standing: StockStanding,
  isPaused: Type.Boolean(),
  shelf: Type.String(),
  cost: Type.Union([Dollars, Type.Null()]),
  note: Type.String(),
  listedAt: IsoTime,
});
export type StockCopy = Static<typeof StockCopy>;

/**
 * `X-Total-Count` says how many there are in all. `ids`: of these alone, up to 100 with commas between them, wherever
 * they stand.
 */
export const listStockCopies = endpoint({
  method: 'GET',
  path: '/stock/copies',
  summary: 'The seller’s own copies, searched, filtered and sorted',
  access: 'seller',
  scope: 'stock:read',
  query: Type.Object({
    ...StockFilter,
    ids: Type.Optional(IdList),
    sort: Type.Optional(StockSort),
    ...SortedPageQuery,
  }),
  status: 200,
  answer: Type.Array(StockCopy),
  personal: true,
});

export const readStockCopy = endpoint({
  method: 'GET',
  path: '/stock/copies/:id',
  summary: 'An own copy',
  access: 'its seller',
  scope: 'stock:read',
  params: Type.Object({ id: Id }),
  status: 200,
  answer: StockCopy,
  refused: { _id: null },
  personal: true,
});
