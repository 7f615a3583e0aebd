import type { StockFilter, StockSort } from '#contract/stock/stock-copies.ts';
import type { SortChoices } from '#web/shell/data/list-address.ts';

export const SORTS: SortChoices<StockSort> = [
  ['newest', 'Newest first'],
  ['title-up', 'Title, A to Z'],
  ['title-down', 'Title, Z to A'],
  ['price-up', 'Lowest price first'],
  ['price-down', 'Highest price first'],
  ['sku-up', 'SKU, from the first'],
  ['sku-down', 'SKU, from the last'],
  ['shelf-up', 'Shelf, from the first'],
  ['shelf-down', 'Shelf, from the last'],
];

export const STANDINGS: readonly (readonly [NonNullable<StockFilter['standing']>, string])[] = [
  ['there', 'In stock'],
  ['available', 'For sale'],
  ['held', 'On hold'],
  ['paused', 'Paused'],
  ['sold', 'Sold here'],
  ['elsewhere', 'Sold elsewhere'],
];

const NAMES = ['q', 'standing', 'category', 'condition', 'min', 'max'] as const;
const PRICE = /^\d{1,6}(\.\d{1,2})?$/;

/** What the address of the page filters by; what it cannot filter by is left out. */
export const filterOf = (address: string): StockFilter => {
  const { searchParams } = new URL(address);
  const said = NAMES.flatMap((name) => {
    const value = searchParams.get(name)?.trim() ?? '';
    if (value === '') return [];
    if ((name === 'min' || name === 'max') && !PRICE.test(value)) return [];
    if (name === 'standing' && !STANDINGS.some(([one]) => one === value)) return [];
    if (name === 'condition' && !['Excellent', 'Good', 'Fair'].includes(value)) return [];
    return [[name, name === 'q' ? value.slice(0, 200) : value]];
  });
  return Object.fromEntries(said) as StockFilter;
};
