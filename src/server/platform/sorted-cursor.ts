import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { cursorOf, positionOf, type Position } from './cursor.ts';
import { badFields } from './errors.ts';

/** Where a list goes on: what its last row was ordered by, as text, and its id. */
export interface SortedPosition {
  readonly key: string;
  readonly id: string;
}

/** What an order goes by, which says what its cursors may hold. */
export type SortKey = 'time' | 'number' | 'text';

/** An order of a list, as SQL: what it goes by, which way, and how that is written into a cursor. */
export interface Order {
  readonly kind: SortKey;
  readonly key: string;
  readonly way: 'ASC' | 'DESC';
}

const SHAPE = /^([a-z-]{4,20})\.([\w-]{0,540})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** So much of a text decides its place; what is alike that far is in no order that anybody looks for. */
export const SORTED_LETTERS = 100;

const TYPES = { time: 'timestamptz', number: 'bigint', text: 'text' } as const satisfies Record<SortKey, string>;

const isKey = (kind: SortKey, { key, id }: SortedPosition): boolean => {
  if (kind === 'number') return /^\d{1,12}$/.test(key);
  if (kind === 'text') return !key.includes('\0');
  return positionOf(cursorOf({ at: key, id })) !== undefined;
};

const notOurs = () => badFields({ cursor: 'This is not a cursor of this list' });

/** The cursor of a row in one of several orders; the newest first keep the one that lists without orders have. */
export const sortedCursorOf = (sort: string, { key, id }: SortedPosition): string =>
  sort === 'newest' ? cursorOf({ at: key, id }) : `${sort}.${Buffer.from(key).toString('base64url')}.${id}`;

/** The position of a cursor of this order; 400 for any other. */
export const sortedPositionOf = (
  cursor: string | undefined,
  sort: string,
  kind: SortKey,
): SortedPosition | undefined => {
  if (cursor === undefined) return undefined;
  if (sort === 'newest') {
    const { at, id } = positionOf(cursor) as Position;
    return { key: at, id };
  }
  const [, order, text = '', id] = SHAPE.exec(cursor) ?? [];
  if (order !== sort || id === undefined) throw notOurs();
  const position = { key: Buffer.from(text, 'base64url').toString('utf8'), id };
  if (!isKey(kind, position) || sortedCursorOf(sort, position) !== cursor) throw notOurs();
  return position;
};

/** Splits `limit + 1` rows, which bring their `key`, into a page and the cursor of the next one. */
export const sortedPageOf = <Row extends SortedPosition>(
  rows: readonly Row[],
  limit: number,
  sort: string,
): { rows: Row[]; next?: string } => {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return rows.length > limit && last !== undefined
    ? { rows: shown, next: sortedCursorOf(sort, last) }
    : { rows: shown };
};

/** The order as SQL, with the id of the table `of` where keys are alike. */
export const orderText = ({ key, way }: Order, of: string): string => `${key} ${way}, ${of}.id ${way}`;

/** What is beyond the position whose key and id are these two expressions. */
export const beyondText = ({ kind, key, way }: Order, of: string, [at, id]: readonly [string, string]): string =>
  `(${key}, ${of}.id) ${way === 'ASC' ? '>' : '<'} (${at}::${TYPES[kind]}, ${id}::uuid)`;

/** The same as a condition of a query. */
export const beyond = ({ kind, key, way }: Order, of: string, after: SortedPosition): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.raw(key)}, ${sql.raw(of)}.id) ${sql.raw(way === 'ASC' ? '>' : '<')}
    (${after.key}::${sql.raw(TYPES[kind])}, ${after.id}::uuid)`;

/** The key of a row as a cursor holds it: a time in the database's own resolution. */
export const keyText = ({ kind, key }: Order): string =>
  kind === 'time' ? `to_char(${key} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')` : `(${key})::text`;

/** The beginning of an indexed text, in the order of its letters whatever the database's language. */
export const beginningOf = (text: string): string => `left(${text}, ${SORTED_LETTERS}) COLLATE "C"`;
