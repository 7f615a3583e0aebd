import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Condition } from '#contract/catalog/catalog.ts';
import type { StockFilter, StockSort, StockStanding } from '#contract/stock/stock-copies.ts';
import type { StockSelection } from '#contract/stock/stock-edits.ts';
import { parseCents } from '#contract/money/money.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import {
  beginningOf,
  beyond,
  keyText,
  orderText,
  type Order,
  type SortedPosition,
} from '#server/platform/sorted-cursor.ts';
import { LISTING_ORDERS } from '#server/catalog/listings/listing-json.queries.ts';
import type { EditableCopy } from './editing.ts';

const { newest, ...others } = LISTING_ORDERS;
const SKU = beginningOf("coalesce(s.sku || '#' || lpad(s.number::text, 9, '0'), '')");
const SHELF = beginningOf("lower(coalesce(s.shelf, ''))");

/** The orders of a seller's stock; those by its SKU and its shelf are sorted anew each time. */
export const STOCK_ORDERS: Readonly<Record<StockSort, Order>> = {
  newest,
  ...others,
  'sku-up': { kind: 'text', key: SKU, way: 'ASC' },
  'sku-down': { kind: 'text', key: SKU, way: 'DESC' },
  'shelf-up': { kind: 'text', key: SHELF, way: 'ASC' },
  'shelf-down': { kind: 'text', key: SHELF, way: 'DESC' },
};

const STANDINGS: Readonly<Record<StockStanding, RawBuilder<SqlBool>>> = {
  there: sql`l.status IN ('available', 'paused', 'held')`,
  available: sql`l.status = 'available'`,
  held: sql`l.status = 'held'`,
  paused: sql`l.status = 'paused'`,
  sold: sql`l.status = 'sold'`,
  elsewhere: sql`l.status = 'withdrawn' AND s.sold_at IS NOT NULL`,
};

const MOST_WORDS = 8;

/** Any of it is in the text as it is written, but for what LIKE would take for more. */
const within = (word: string): string => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

const wordsOf = (q: string): RawBuilder<SqlBool>[] =>
  q
    .trim()
    .split(/\s+/u)
    .filter((word) => word !== '')
    .slice(0, MOST_WORDS)
    .map((word) => {
      const digits = word.replaceAll('-', '');
      const isIsbn = /^\d{9,13}[\dxX]?$/.test(digits);
      return sql<SqlBool>`(l.words @@ to_tsquery('simple',
          nullif(replace(search_text(${word}), ' ', ':* & ') || ':*', ':*'))
        OR s.sku ILIKE ${within(word)} OR s.shelf ILIKE ${within(word)}
        ${isIsbn ? sql`OR l.isbn13 LIKE ${`%${digits}%`}` : sql``})`;
    });

const conditionsOf = (sellerId: string, filter: StockFilter): RawBuilder<SqlBool> => {
  const { q = '', standing = 'there', category, condition, min, max } = filter;
  const [least, most] = [min, max].map((price) => (price === undefined ? undefined : parseCents(price)));
  return sql.join(
    [
      sql<SqlBool>`l.seller_id = ${sellerId}::uuid`,
      STANDINGS[standing],
      ...(category === undefined ? [] : [sql<SqlBool>`l.category_id = ${category}`]),
      ...(condition === undefined ? [] : [sql<SqlBool>`l.condition = ${condition}`]),
      ...(least === undefined ? [] : [sql<SqlBool>`l.resale_cents >= ${least}`]),
      ...(most === undefined ? [] : [sql<SqlBool>`l.resale_cents <= ${most}`]),
      ...wordsOf(q),
    ],
    sql` AND `,
  );
};

const named = (sellerId: string, ids: readonly string[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`l.seller_id = ${sellerId}::uuid AND l.id = ANY (${[...ids]}::uuid[])`;

const FROM = sql`listings AS l LEFT JOIN stock_copies AS s ON s.listing_id = l.id`;

export interface StockCopyRow {
  readonly id: string;
  readonly key: string;
  readonly sku: string | null;
  readonly number: number | null;
  readonly isOneOfMany: boolean;
  readonly title: string;
  readonly authors: string;
  readonly isbn13: string;
  readonly image_url: string;
  readonly cents: number;
  readonly condition: Condition;
  readonly category_id: string;
  readonly category_name: string;
  readonly status: 'available' | 'held' | 'paused' | 'sold' | 'withdrawn';
  readonly isPaused: boolean;
  readonly shelf: string | null;
  readonly costCents: number | null;
  readonly note: string | null;
  readonly listedAt: Date;
}

const shown = (order: Order) => sql`l.id, ${sql.raw(keyText(order))} AS key, s.sku, s.number,
  EXISTS (SELECT FROM stock_copies AS o WHERE o.seller_id = s.seller_id AND o.sku = s.sku AND o.number > 1)
    AS "isOneOfMany",
  l.title, l.authors, l.isbn13, picture_address(l.image_url) AS image_url, l.resale_cents AS cents, l.condition,
  l.category_id, c.name AS category_name, l.status, l.paused_alone AS "isPaused", s.shelf, s.cost_cents AS "costCents",
  s.note, l.published_at AS "listedAt"`;

/** A page of a seller's copies in an order. */
export const listStockCopyRows = async (
  db: Db,
  sellerId: string,
  page: {
    filter: StockFilter;
    ids: readonly string[] | undefined;
    sort: StockSort;
    after: SortedPosition | undefined;
    limit: number;
  },
): Promise<StockCopyRow[]> => {
  const order = STOCK_ORDERS[page.sort];
  const further = page.after === undefined ? sql`` : sql`AND ${beyond(order, 'l', page.after)}`;
  const { rows } = await sql<StockCopyRow>`
    SELECT ${shown(order)} FROM ${FROM} JOIN categories AS c ON c.id = l.category_id
    WHERE ${page.ids === undefined ? conditionsOf(sellerId, page.filter) : named(sellerId, page.ids)} ${further}
    ORDER BY ${sql.raw(orderText(order, 'l'))} LIMIT ${page.limit}`.execute(db);
  return rows;
};

/** One copy of a seller, also one that was sold or taken out. */
export const findStockCopyRow = async (db: Db, sellerId: string, id: string): Promise<StockCopyRow | undefined> => {
  const { rows } = await sql<StockCopyRow>`
    SELECT ${shown(newest)} FROM ${FROM} JOIN categories AS c ON c.id = l.category_id
    WHERE l.id = ${id}::uuid AND l.seller_id = ${sellerId}::uuid`.execute(db);
  return rows[0];
};

export const countStockCopies = async (db: Db, sellerId: string, filter: StockFilter): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM ${FROM} WHERE ${conditionsOf(sellerId, filter)}`.execute(db);
  return rows[0]?.count ?? 0;
};

const selected = (sellerId: string, { ids, filter = {}, except = [] }: StockSelection): RawBuilder<SqlBool> =>
  ids === undefined
    ? sql<SqlBool>`${conditionsOf(sellerId, filter)} AND l.id <> ALL (${[...except]}::uuid[])`
    : named(sellerId, ids);

const EDITABLE = sql`l.status AS state, l.paused_alone AS "isPausedAlone", l.waits_for_look AS "waitsForLook",
  EXISTS (SELECT FROM copy_passports AS p WHERE p.listing_id = l.id AND p.grade IS NOT NULL) AS "isGraded",
  l.category_id, l.condition, l.resale_cents, l.original_known, l.original_cents, e.pickup, e.post`;
const EDITABLE_FROM = sql`${FROM} LEFT JOIN delivery_exceptions AS e ON e.listing_id = l.id`;

/** The copies of a selection by what an edit goes by: how many are alike, of which one is named. */
export const listAlike = async (
  db: Db,
  sellerId: string,
  selection: StockSelection,
): Promise<(EditableCopy & { readonly copies: number; readonly title: string })[]> => {
  const { rows } = await sql<EditableCopy & { copies: number; title: string }>`
    SELECT count(*)::integer AS copies, min(a.id::text) AS id, min(a.title) AS title, a.state, a."isPausedAlone",
      a."waitsForLook", a."isGraded", a.category_id, a.condition, a.resale_cents, a.original_known, a.original_cents,
      a.pickup, a.post
    FROM (SELECT l.id, l.title, ${EDITABLE} FROM ${EDITABLE_FROM} WHERE ${selected(sellerId, selection)}) AS a
    GROUP BY a.state, a."isPausedAlone", a."waitsForLook", a."isGraded", a.category_id, a.condition, a.resale_cents,
      a.original_known, a.original_cents, a.pickup, a.post
    ORDER BY copies DESC, id`.execute(db);
  return rows;
};

/** Notes which copies an edit is of; answers how many. */
export const insertSelected = async (
  trx: Trx,
  { fileId, sellerId, selection }: { fileId: string; sellerId: string; selection: StockSelection },
): Promise<number> => {
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO stock_edit_copies (file_id, listing_id)
    SELECT ${fileId}::uuid, l.id FROM ${FROM} WHERE ${selected(sellerId, selection)}`.execute(trx);
  return Number(numAffectedRows);
};

/** The next copies of an edit, taken out of what is still to be written, and kept as they are meanwhile. */
export const takeSelected = async (
  trx: Trx,
  fileId: string,
  limit: number,
): Promise<{ taken: number; copies: (EditableCopy & { readonly isbn13: string })[] }> => {
  const { rows } = await sql<{ id: string }>`
    DELETE FROM stock_edit_copies WHERE file_id = ${fileId}::uuid AND listing_id IN (
      SELECT listing_id FROM stock_edit_copies WHERE file_id = ${fileId}::uuid ORDER BY listing_id LIMIT ${limit})
    RETURNING listing_id AS id`.execute(trx);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return { taken: 0, copies: [] };
  const found = await sql<EditableCopy & { isbn13: string }>`
    SELECT l.id, l.isbn13, ${EDITABLE} FROM ${EDITABLE_FROM} WHERE l.id = ANY (${ids}::uuid[])
    ORDER BY l.id FOR NO KEY UPDATE OF l`.execute(trx);
  return { taken: ids.length, copies: found.rows };
};

/** What an edit changes of a copy in its listing. */
export interface EditedFacts {
  readonly category_id: string;
  readonly condition: Condition;
  readonly resale_cents: number;
  readonly original_cents: number;
}

/** Writes what is edited of free copies; answers the ids of those that were free. */
export const updateEdited = async (
  trx: Trx,
  copies: readonly { readonly id: string; readonly facts: EditedFacts }[],
): Promise<string[]> => {
  if (copies.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    UPDATE listings AS l SET category_id = new.category_id, condition = new.condition,
      resale_cents = new.resale_cents, original_cents = new.original_cents, updated_at = now()
    FROM unnest(${copies.map(({ id }) => id)}::uuid[], ${copies.map(({ facts }) => facts.category_id)}::text[],
      ${copies.map(({ facts }) => facts.condition)}::text[], ${copies.map(({ facts }) => facts.resale_cents)}::integer[],
      ${copies.map(({ facts }) => facts.original_cents)}::integer[])
      AS new (id, category_id, condition, resale_cents, original_cents)
    WHERE l.id = new.id AND l.status IN ('available', 'paused') RETURNING l.id`.execute(trx);
  return rows.map(({ id }) => id);
};

/** How a copy comes to its buyer, where that is its own; null: as for all. */
export interface OwnWays {
  readonly pickup: boolean | null;
  readonly post: boolean | null;
}

export const upsertWays = async (trx: Trx, copies: readonly (OwnWays & { readonly id: string })[]): Promise<void> => {
  if (copies.length === 0) return;
  await sql`
    INSERT INTO delivery_exceptions (listing_id, pickup, post)
    SELECT new.id, new.pickup, new.post FROM unnest(${copies.map(({ id }) => id)}::uuid[],
      ${copies.map(({ pickup }) => pickup)}::boolean[], ${copies.map(({ post }) => post)}::boolean[])
      AS new (id, pickup, post)
    ON CONFLICT (listing_id) DO UPDATE SET pickup = excluded.pickup, post = excluded.post, updated_at = now()`.execute(
    trx,
  );
};
