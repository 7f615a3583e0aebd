import type { Sample } from './figures/sample.ts';

/** Searches in which one facet is chosen, by the names of their results. */
export const FACET_CHOICES: Readonly<
  Record<string, { readonly what: string; readonly query: (sample: Pick<Sample, 'seller'>) => string }>
> = {
  'facets-condition': { what: 'condition', query: () => '&condition=Good' },
  'facets-binding': { what: 'binding', query: () => '&binding=hardcover' },
  'facets-language': { what: 'language', query: () => '&language=eng' },
  'facets-signed': { what: 'signed', query: () => '&signed=1' },
  'facets-first': { what: 'first edition', query: () => '&first=1' },
  'facets-jacket': { what: 'with its jacket', query: () => '&jacket=1' },
  'facets-without': {
    what: 'without ex-library, book club, writing',
    query: () => '&without=ex-library,book-club,writing',
  },
  'facets-publisher': { what: 'publisher', query: () => '&publisher=Vintage' },
  'facets-unknown': {
    what: 'hardcover and signed, or not known',
    query: () => '&binding=hardcover&signed=1&unknown=1',
  },
  'facets-seller': { what: 'seller', query: ({ seller }) => `&seller=${seller}` },
  'facets-since': { what: 'added in a year', query: () => '&since=365' },
  'facets-near': { what: 'within 25 km', query: () => '&near=Portland&within=25' },
};
