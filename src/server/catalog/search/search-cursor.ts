import type { SearchSort } from '#contract/catalog/search.ts';
import { badFields } from '#server/platform/errors.ts';
import { cursorOf, positionOf } from '#server/platform/cursor.ts';
import type { SearchPosition } from './search.queries.ts';

const shape = /^([a-z-]{6,10})\.(-?\d{1,7})\.([\w-]{1,150})$/;

/** The cursor of the page after `row`: the order it belongs to, the row's sort key, and its place by time. */
export const searchCursorOf = (row: SearchPosition, sort: SearchSort): string => `${sort}.${row.key}.${cursorOf(row)}`;

/** The position of a cursor of this order; 400 for any other. */
export const searchPositionOf = (cursor: string | undefined, sort: SearchSort): SearchPosition | undefined => {
  if (cursor === undefined) return undefined;
  const [, order, key, position] = shape.exec(cursor) ?? [];
  const place = order === sort ? positionOf(position) : undefined;
  if (place === undefined) throw badFields({ cursor: 'This is not a cursor of this list' });
  return { ...place, key: Number(key) };
};
