import { sql } from 'kysely';
import type { PassportDraft } from '#contract/catalog/passport/passport.ts';
import type { Db } from '#server/platform/postgres/db.ts';

/** A copy that stands on the seller's shelf, with all that a file may say of it. Prices in cents. */
export interface ExportedCopy {
  readonly id: string;
  readonly sku: string | null;
  readonly number: number | null;
  readonly title: string;
  readonly authors: string;
  readonly isbn13: string;
  readonly published_year: number | null;
  readonly publisher: string;
  readonly details: string;
  readonly resale_cents: number;
  readonly original_cents: number | null;
  readonly years_of_use: number | null;
  readonly condition: string;
  readonly category: string;
  readonly location: string;
  readonly phone: string;
  readonly image: string;
  readonly isPaused: boolean;
  readonly grade: string | null;
  readonly shelf: string | null;
  readonly cost_cents: number | null;
  readonly note: string | null;
  readonly grade_text: string | null;
  /** What its seller said; what is known of the edition alone is left out. */
  readonly said: Pick<PassportDraft, 'binding' | 'language' | 'pages' | 'edition' | 'printing' | 'signed' | 'jacket'>;
  /** As it is ordered by. */
  readonly at: string;
}

const COLUMNS = sql`l.id, l.title, l.authors, l.isbn13, l.published_year, l.publisher, l.details, l.resale_cents,
  CASE WHEN l.original_known THEN l.original_cents END AS original_cents,
  CASE WHEN l.years_known THEN l.years_of_use::float8 END AS years_of_use,
  l.condition, l.category_id AS category, l.location, l.phone, picture_address(l.image_url) AS image,
  l.paused_alone AND NOT l.waits_for_look AS "isPaused", p.grade,
  json_build_object(
    'binding', CASE WHEN NOT 'binding' = ANY (p.from_edition) THEN p.binding END,
    'language', CASE WHEN NOT 'language' = ANY (p.from_edition) THEN p.language END,
    'pages', CASE WHEN NOT 'pages' = ANY (p.from_edition) THEN p.pages END,
    'edition', p.edition, 'printing', p.printing, 'signed', p.signed, 'jacket', p.jacket) AS said,
  to_char(l.published_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at`;
const THERE = sql`l.status IN ('available', 'paused', 'held')`;

/** The next copies with a SKU, in its order. */
export const listStocked = async (
  db: Db,
  sellerId: string,
  after: { sku: string; number: number },
  limit: number,
): Promise<ExportedCopy[]> => {
  const { rows } = await sql<ExportedCopy>`
    SELECT s.sku, s.number, s.shelf, s.cost_cents, s.note, s.grade_text, ${COLUMNS}
    FROM stock_copies AS s JOIN listings AS l ON l.id = s.listing_id
    LEFT JOIN copy_passports AS p ON p.listing_id = l.id
    WHERE s.seller_id = ${sellerId}::uuid AND (s.sku, s.number) > (${after.sku}, ${after.number}) AND ${THERE}
    ORDER BY s.sku, s.number LIMIT ${limit}`.execute(db);
  return rows;
};

/** The next copies that were listed by hand, the newest first. */
export const listUnstocked = async (
  db: Db,
  sellerId: string,
  before: { at: string; id: string } | undefined,
  limit: number,
): Promise<ExportedCopy[]> => {
  const further =
    before === undefined ? sql`` : sql`AND (l.published_at, l.id) < (${before.at}::timestamptz, ${before.id}::uuid)`;
  const { rows } = await sql<ExportedCopy>`
    SELECT NULL AS sku, NULL::integer AS number, NULL AS shelf, NULL::integer AS cost_cents, NULL AS note,
      NULL AS grade_text, ${COLUMNS}
    FROM listings AS l LEFT JOIN copy_passports AS p ON p.listing_id = l.id
    WHERE l.seller_id = ${sellerId}::uuid AND ${THERE} ${further}
      AND NOT EXISTS (SELECT FROM stock_copies AS s WHERE s.listing_id = l.id)
    ORDER BY l.published_at DESC, l.id DESC LIMIT ${limit}`.execute(db);
  return rows;
};
