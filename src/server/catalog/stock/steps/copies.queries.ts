import { sql } from 'kysely';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { insertReturn } from '#server/catalog/listings/pausing/pausing.queries.ts';
import type { CopyFacts, CopyNow, OwnNow } from './comparing.ts';

interface CopyRow extends Omit<CopyNow, 'facts' | 'own'>, CopyFacts, OwnNow {
  readonly sku: string;
}

const column = <R, K extends keyof R>(rows: readonly R[], name: K): R[K][] => rows.map((row) => row[name]);

const factsOf = (row: CopyRow): CopyNow => {
  const { sku: _sku, id, number, state, isPausedAlone, waitsForLook, isSoldSince, isGraded, ...rest } = row;
  const { shelf, cost_cents, note, grade_text, ...facts } = rest;
  return {
    id,
    number,
    state,
    isPausedAlone,
    waitsForLook,
    isSoldSince,
    isGraded,
    facts,
    own: { shelf, cost_cents, note, grade_text },
  };
};

/**
 * The copies of a seller with these SKUs, by SKU; `8#2` is the second copy of the SKU 8 alone, and a copy that has no
 * SKU goes by its id. `isLocked`: kept as they are until the transaction ends, in one
 * order.
 */
export const listCopiesOf = async (
  db: Db,
  { sellerId, skus, asOf, isLocked }: { sellerId: string; skus: readonly string[]; asOf: Date; isLocked: boolean },
): Promise<Map<string, CopyNow[]>> => {
  const lock = isLocked ? sql`ORDER BY l.id FOR NO KEY UPDATE OF l` : sql``;
  const all = sql`${[...skus]}::text[]`;
  const single = skus.flatMap((sku) => {
    const [, base, number] = /^(.+)#(\d{1,9})$/.exec(sku) ?? [];
    return base === undefined || number === undefined ? [] : [{ sku, base, number: Number(number) }];
  });
  const ids = skus.filter((sku) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(sku));
  const own = sql`seller_id = ${sellerId}::uuid`;
  const named = sql`
    SELECT sku, number, shelf, cost_cents, note, grade_text, sold_at, listing_id
    FROM stock_copies WHERE ${own} AND sku = ANY (${all})
    UNION ALL
    SELECT one.sku, k.number, k.shelf, k.cost_cents, k.note, k.grade_text, k.sold_at, k.listing_id
    FROM unnest(${column(single, 'sku')}::text[], ${column(single, 'base')}::text[],
      ${column(single, 'number')}::integer[]) AS one (sku, base, number)
    JOIN stock_copies AS k ON k.seller_id = ${sellerId}::uuid AND k.sku = one.base AND k.number = one.number
    UNION ALL
    SELECT o.id::text, 1, '', NULL, '', '', NULL, o.id FROM listings AS o
    WHERE o.${own} AND o.id = ANY (${ids}::uuid[]) AND NOT EXISTS (
      SELECT FROM stock_copies AS k WHERE k.listing_id = o.id)`;
  const { rows } = await sql<CopyRow>`
    SELECT s.sku, s.number, s.shelf, s.cost_cents, s.note, s.grade_text, l.id, l.status AS state,
      l.paused_alone AS "isPausedAlone", l.waits_for_look AS "waitsForLook",
      (l.status = 'sold' AND (s.sold_at IS NULL OR s.sold_at > ${asOf}))
        OR (l.status = 'withdrawn' AND s.sold_at IS NOT NULL AND s.sold_at > ${asOf}) AS "isSoldSince",
      EXISTS (SELECT FROM copy_passports AS p WHERE p.listing_id = l.id AND p.grade IS NOT NULL) AS "isGraded",
      l.category_id, l.title, l.authors, l.isbn13, l.published_year, l.publisher, l.image_url, l.image_source,
      l.original_cents, l.original_known, l.resale_cents, l.years_of_use::float8 AS years_of_use, l.years_known,
      l.location, l.phone, l.details, l.condition
    FROM (${named}) AS s JOIN listings AS l ON l.id = s.listing_id ${lock}`.execute(db);
  const bySku = new Map<string, CopyNow[]>();
  for (const row of rows) {
    const copies = bySku.get(row.sku) ?? [];
    copies.push(factsOf(row));
    bySku.set(row.sku, copies);
  }
  return bySku;
};

/** What is known of the editions of these ISBNs, by the table or else by the newest copy here. */
export const listEditionTitles = async (
  db: Db,
  isbns: readonly string[],
): Promise<Map<string, { title: string; authors: string }>> => {
  if (isbns.length === 0) return new Map();
  const { rows } = await sql<{ isbn13: string; title: string; authors: string }>`
    SELECT wanted.isbn13, coalesce(e.title, l.title) AS title, coalesce(e.authors, l.authors) AS authors
    FROM unnest(${[...new Set(isbns)]}::text[]) AS wanted (isbn13)
    LEFT JOIN editions AS e ON e.isbn13 = wanted.isbn13
    LEFT JOIN LATERAL (SELECT title, authors FROM listings AS o WHERE o.isbn13 = wanted.isbn13 AND o.isbn13 <> ''
      AND o.status <> 'withdrawn' AND e.isbn13 IS NULL ORDER BY o.published_at DESC LIMIT 1) AS l ON true
    WHERE coalesce(e.title, l.title) IS NOT NULL`.execute(db);
  return new Map(rows.map(({ isbn13, ...edition }) => [isbn13, edition]));
};

/** The place and the phone of the seller's last listing, and the category of most; undefined where there is none. */
export const findHabits = async (
  db: Db,
  sellerId: string,
): Promise<{ location: string; phone: string; category: string } | undefined> => {
  const { rows } = await sql<{ location: string; phone: string; category: string }>`
    SELECT l.location, l.phone, (
      SELECT category_id FROM (
        SELECT category_id FROM listings WHERE seller_id = ${sellerId}::uuid
        ORDER BY published_at DESC, id DESC LIMIT 200) AS lately
      GROUP BY category_id ORDER BY count(*) DESC, category_id LIMIT 1) AS category
    FROM listings AS l WHERE l.seller_id = ${sellerId}::uuid
    ORDER BY l.published_at DESC, l.id DESC LIMIT 1`.execute(db);
  return rows[0];
};

/** Copies to be listed, with ids made by the caller. */
export interface NewCopy extends CopyFacts {
  readonly id: string;
  readonly sku: string;
  readonly number: number;
  readonly own: OwnNow;
}

/** Lists copies of a seller in one statement each for what all see and what the seller alone sees. */
export const insertCopies = async (trx: Trx, sellerId: string, copies: readonly NewCopy[]): Promise<void> => {
  if (copies.length === 0) return;
  await sql`
    INSERT INTO listings (id, seller_id, category_id, title, authors, isbn13, published_year, publisher, image_url,
      original_cents, original_known, resale_cents, years_of_use, years_known, location, phone, details, condition)
    SELECT id, ${sellerId}::uuid, category_id, title, authors, isbn13, published_year, publisher, image_url,
      original_cents, original_known, resale_cents, years_of_use, years_known, location, phone, details, condition
    FROM unnest(${column(copies, 'id')}::uuid[], ${column(copies, 'category_id')}::text[],
      ${column(copies, 'title')}::text[], ${column(copies, 'authors')}::text[], ${column(copies, 'isbn13')}::text[],
      ${column(copies, 'published_year')}::integer[], ${column(copies, 'publisher')}::text[],
      ${column(copies, 'image_url')}::text[], ${column(copies, 'original_cents')}::integer[],
      ${column(copies, 'original_known')}::boolean[], ${column(copies, 'resale_cents')}::integer[],
      ${column(copies, 'years_of_use')}::numeric[], ${column(copies, 'years_known')}::boolean[],
      ${column(copies, 'location')}::text[], ${column(copies, 'phone')}::text[],
      ${column(copies, 'details')}::text[], ${column(copies, 'condition')}::text[])
      AS new (id, category_id, title, authors, isbn13, published_year, publisher, image_url, original_cents,
        original_known, resale_cents, years_of_use, years_known, location, phone, details, condition)`.execute(trx);
  const own = copies.map(({ own: it }) => it);
  await sql`
    INSERT INTO stock_copies (listing_id, seller_id, sku, number, shelf, cost_cents, note, grade_text)
    SELECT id, ${sellerId}::uuid, sku, number, shelf, cost_cents, note, grade_text
    FROM unnest(${column(copies, 'id')}::uuid[], ${column(copies, 'sku')}::text[],
      ${column(copies, 'number')}::integer[], ${column(own, 'shelf')}::text[], ${column(own, 'cost_cents')}::integer[],
      ${column(own, 'note')}::text[], ${column(own, 'grade_text')}::text[])
      AS new (id, sku, number, shelf, cost_cents, note, grade_text)`.execute(trx);
};

/** Changes free copies to what each is to say; answers the ids of those that were free. */
export const updateCopies = async (
  trx: Trx,
  copies: readonly { readonly id: string; readonly facts: CopyFacts }[],
): Promise<string[]> => {
  if (copies.length === 0) return [];
  const facts = copies.map((copy) => copy.facts);
  const { rows } = await sql<{ id: string }>`
    UPDATE listings AS l SET category_id = new.category_id, title = new.title, authors = new.authors,
      isbn13 = new.isbn13, published_year = new.published_year, publisher = new.publisher,
      image_url = new.image_url, image_source = new.image_source, original_cents = new.original_cents,
      original_known = new.original_known, resale_cents = new.resale_cents, years_of_use = new.years_of_use,
      years_known = new.years_known, location = new.location, phone = new.phone, details = new.details,
      condition = new.condition, updated_at = now()
    FROM unnest(${column(copies, 'id')}::uuid[], ${column(facts, 'category_id')}::text[],
      ${column(facts, 'title')}::text[], ${column(facts, 'authors')}::text[], ${column(facts, 'isbn13')}::text[],
      ${column(facts, 'published_year')}::integer[], ${column(facts, 'publisher')}::text[],
      ${column(facts, 'image_url')}::text[], ${column(facts, 'image_source')}::text[],
      ${column(facts, 'original_cents')}::integer[], ${column(facts, 'original_known')}::boolean[],
      ${column(facts, 'resale_cents')}::integer[], ${column(facts, 'years_of_use')}::numeric[],
      ${column(facts, 'years_known')}::boolean[], ${column(facts, 'location')}::text[],
      ${column(facts, 'phone')}::text[], ${column(facts, 'details')}::text[], ${column(facts, 'condition')}::text[])
      AS new (id, category_id, title, authors, isbn13, published_year, publisher, image_url, image_source,
        original_cents, original_known, resale_cents, years_of_use, years_known, location, phone, details, condition)
    WHERE l.id = new.id AND l.status IN ('available', 'paused') RETURNING l.id`.execute(trx);
  return rows.map(({ id }) => id);
};

/** Keeps what the seller alone sees of copies; one that had no SKU goes by its id. */
export const updateOwn = async (
  trx: Trx,
  sellerId: string,
  copies: readonly { readonly id: string; readonly after: OwnNow }[],
): Promise<void> => {
  if (copies.length === 0) return;
  const own = copies.map(({ after }) => after);
  await sql`
    INSERT INTO stock_copies (listing_id, seller_id, sku, number, shelf, cost_cents, note, grade_text)
    SELECT id, ${sellerId}::uuid, id::text, 1, shelf, cost_cents, note, grade_text
    FROM unnest(${column(copies, 'id')}::uuid[], ${column(own, 'shelf')}::text[],
      ${column(own, 'cost_cents')}::integer[], ${column(own, 'note')}::text[], ${column(own, 'grade_text')}::text[])
      AS new (id, shelf, cost_cents, note, grade_text)
    ON CONFLICT (listing_id) DO UPDATE SET shelf = excluded.shelf, cost_cents = excluded.cost_cents,
      note = excluded.note, grade_text = excluded.grade_text`.execute(trx);
};

/** Takes free copies out of the shop; answers the ids of those that were free. */
export const withdrawFree = async (trx: Trx, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    UPDATE listings SET status = 'withdrawn', on_shelf = false, withdrawn_at = now(), updated_at = now()
    WHERE id = ANY (${[...ids]}::uuid[]) AND status IN ('available', 'paused') RETURNING id`.execute(trx);
  return rows.map(({ id }) => id);
};

/** Pauses free copies by themselves; answers the ids of those that were free. */
export const pauseFree = async (trx: Trx, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    UPDATE listings SET status = 'paused', on_shelf = false, paused_alone = true, updated_at = now()
    WHERE id = ANY (${[...ids]}::uuid[]) AND status IN ('available', 'paused') RETURNING id`.execute(trx);
  return rows.map(({ id }) => id);
};

/**
 * Has copies come back that were paused by themselves: each goes to the first in its line, or on the shelf, within
 * seconds. Answers the ids of those that were paused so.
 */
export const resumePaused = async (trx: Trx, sellerId: string, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    UPDATE listings SET paused_alone = false, updated_at = now()
    WHERE id = ANY (${[...ids]}::uuid[]) AND status = 'paused' AND paused_alone AND NOT waits_for_look
    RETURNING id`.execute(trx);
  if (rows.length > 0) await insertReturn(trx, sellerId);
  return rows.map(({ id }) => id);
};

/** Puts copies back that were taken out; answers the ids of those that were out. */
export const putBack = async (trx: Trx, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    UPDATE listings SET status = 'available', on_shelf = true, withdrawn_at = NULL, updated_at = now()
    WHERE id = ANY (${[...ids]}::uuid[]) AND status = 'withdrawn' RETURNING id`.execute(trx);
  return rows.map(({ id }) => id);
};

const MISSING = sql`FROM stock_copies AS s JOIN listings AS l ON l.id = s.listing_id
  WHERE s.seller_id = f.seller_id AND l.status IN ('available', 'paused')
    AND NOT EXISTS (SELECT FROM stock_rows AS r WHERE r.file_id = f.id AND r.sku IN (s.sku, s.sku || '#' || s.number))`;

/** How many free copies of a seller have a SKU that no row of a file names. */
export const countMissing = async (db: Db, fileId: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    SELECT (SELECT count(*)::integer ${MISSING}) AS count FROM stock_files AS f WHERE f.id = ${fileId}::uuid`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
};

export const listMissing = async (trx: Trx, fileId: string, limit: number): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    SELECT m.id FROM stock_files AS f, LATERAL (SELECT l.id ${MISSING} ORDER BY l.id LIMIT ${limit}
      FOR NO KEY UPDATE OF l) AS m WHERE f.id = ${fileId}::uuid`.execute(trx);
  return rows.map(({ id }) => id);
};

/** What these copies cost now, in cents, by their ids. */
export const findPrices = async (db: Db, ids: readonly string[]): Promise<Map<string, number>> => {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('listings')
    .select(['id', 'resale_cents'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ id, resale_cents }) => [id, resale_cents]));
};

/** How many copies that a file added or changed wait for an admin's look. */
export const countWaiting = async (trx: Trx, fileId: string): Promise<number> => {
  const { count } = await trx
    .selectFrom('stock_changes as c')
    .innerJoin('listings as l', 'l.id', 'c.listing_id')
    .select((eb) => eb.fn.count<number>('l.id').distinct().as('count'))
    .where('c.file_id', '=', fileId)
    .where('l.waits_for_look', '=', true)
    .executeTakeFirstOrThrow();
  return Number(count);
};
