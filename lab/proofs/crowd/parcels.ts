import type { Copy } from './people.ts';

/** How many books a parcel has. */
const BOOKS = 3;

/** Copies that are bought at once. */
export type Parcel = readonly [Copy, ...Copy[]];

/** The copies as they are bought: mostly one by one, but of `every` purchases one is a parcel of several. */
export const parcelsOf = (copies: readonly Copy[], every: number): Parcel[] => {
  const parcels: Parcel[] = [];
  let at = 0;
  for (let first = copies[at]; first !== undefined; first = copies[at]) {
    const books = parcels.length % every === every - 1 ? BOOKS : 1;
    parcels.push([first, ...copies.slice(at + 1, at + books)]);
    at += books;
  }
  return parcels;
};
