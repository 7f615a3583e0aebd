import { DEFAULT_PAGE_SIZE } from '#contract/scalars.ts';
import { badFields } from './errors.ts';

/** Where a newest-first list goes on: the time (ISO text with microseconds) and id of the last row shown. */
export interface Position {
  readonly at: string;
  readonly id: string;
}

const shape = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Whether there was such a second: Date knows a year 0 and takes 31 February for 3 March, PostgreSQL refuses both. */
const isTime = (at: string): boolean => {
  const time = Date.parse(at);
  return at >= '0001' && !Number.isNaN(time) && new Date(time).toISOString().slice(0, 19) === at.slice(0, 19);
};

/** The opaque cursor of a position. */
export const cursorOf = (position: Position): string =>
  Buffer.from(`${position.at}_${position.id}`).toString('base64url');

/** The position of a cursor; 400 when it is none of ours. */
export const positionOf = (cursor: string | undefined): Position | undefined => {
  if (cursor === undefined) return undefined;
  const [, at, id] = shape.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (at === undefined || id === undefined || !isTime(at)) {
    throw badFields({ cursor: 'This is not a cursor of this list' });
  }
  return { at, id };
};

/** The parts of a list that are in orders of their own, before the rest of it. */
const PARTS = ['lead', 'wait'] as const;
export type ListPart = (typeof PARTS)[number];

/** The cursor of a position in a part of a list whose rest is in another order. */
export const partCursorOf = (part: ListPart, { at, id }: Position): string =>
  Buffer.from(`${part}_${at}_${id}`).toString('base64url');

/**
 * Where a list of parts goes on, without a cursor at the beginning of the first; `rest` is what follows the parts. 400
 * when the cursor is none of ours.
 */
export const partOf = (cursor: string | undefined): { part: ListPart | 'rest'; after: Position | undefined } => {
  if (cursor === undefined) return { part: PARTS[0], after: undefined };
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const part = PARTS.find((name) => text.startsWith(`${name}_`));
  if (part === undefined) return { part: 'rest', after: positionOf(cursor) };
  const rest = Buffer.from(text.slice(part.length + 1), 'latin1').toString('base64url');
  return { part, after: positionOf(rest) };
};

/** The cursor of a list that goes on below a number, such as the id of a row that is only ever added. */
export const numberCursorOf = (id: string): string => Buffer.from(id).toString('base64url');

/** The number of such a cursor; 400 when it is none of ours. */
export const numberPositionOf = (cursor: string | undefined): string | undefined => {
  if (cursor === undefined) return undefined;
  const id = Buffer.from(cursor, 'base64url').toString('latin1');
  if (!/^\d{1,18}$/.test(id)) throw badFields({ cursor: 'This is not a cursor of this list' });
  return id;
};

/** Rows of a page, from the checked `limit` of the query. */
export const limitOf = (limit: string | undefined): number => (limit === undefined ? DEFAULT_PAGE_SIZE : Number(limit));

/** Splits `limit + 1` fetched rows into a page and the cursor of the next one. */
export const pageOf = <Row extends Position>(
  rows: readonly Row[],
  limit: number,
  cursorOfRow: (row: Row) => string = cursorOf,
): { rows: Row[]; next?: string } => {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return rows.length > limit && last !== undefined ? { rows: shown, next: cursorOfRow(last) } : { rows: shown };
};
