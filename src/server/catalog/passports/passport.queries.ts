import { sql } from 'kysely';
import type { Passport } from '#contract/catalog/passport/passport.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

/** What is stored of a copy's passport. */
export interface PassportRow {
  readonly rules: number;
  readonly grade: Passport['grade'];
  readonly jacket_grade: Passport['jacketGrade'];
  readonly binding: Passport['binding'];
  readonly language: string;
  readonly pages: number | null;
  readonly edition: string;
  readonly printing: Passport['printing'];
  readonly signed: Passport['signed'];
  readonly jacket: Passport['jacket'];
  readonly book_club: boolean | null;
  readonly ex_library: boolean | null;
  readonly remainder: boolean | null;
  readonly annotated: boolean | null;
  readonly no_defects: boolean;
  readonly no_jacket_defects: boolean;
  readonly defects: Passport['defects'];
  readonly from_edition: Passport['fromEdition'];
}

const COLUMNS = [
  'rules',
  'grade',
  'jacket_grade',
  'binding',
  'language',
  'pages',
  'edition',
  'printing',
  'signed',
  'jacket',
  'book_club',
  'ex_library',
  'remainder',
  'annotated',
  'no_defects',
  'no_jacket_defects',
  'defects',
  'from_edition',
] as const;

/** What is said of a copy; undefined where nothing is. */
export const findPassport = (db: Db, listingId: string): Promise<PassportRow | undefined> =>
  db.selectFrom('copy_passports').select(COLUMNS).where('listing_id', '=', listingId).executeTakeFirst();

/** What is said of these copies, by their ids. */
export const listPassports = async (db: Db, ids: readonly string[]): Promise<Map<string, PassportRow>> => {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('copy_passports')
    .select(['listing_id', ...COLUMNS])
    .where('listing_id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ listing_id, ...row }) => [listing_id, row]));
};

/** Keeps what is said of many copies in one statement. */
export const upsertPassports = async (trx: Trx, rows: ReadonlyMap<string, PassportRow>): Promise<void> => {
  if (rows.size === 0) return;
  const written = [...rows].map(([listing_id, row]) => ({ listing_id, ...row }));
  const set = COLUMNS.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`);
  await sql`
    INSERT INTO copy_passports (listing_id, ${sql.join(COLUMNS.map((name) => sql.ref(name)))})
    SELECT listing_id, ${sql.join(COLUMNS.map((name) => sql.ref(name)))}
    FROM jsonb_populate_recordset(NULL::copy_passports, ${JSON.stringify(written)}::jsonb)
    ON CONFLICT (listing_id) DO UPDATE SET ${sql.join(set)}, updated_at = now()`.execute(trx);
};

export const upsertPassport = async (trx: Trx, listingId: string, row: PassportRow): Promise<void> => {
  const stored = {
    ...row,
    defects: sql<PassportRow['defects']>`${JSON.stringify(row.defects)}::jsonb`,
    from_edition: [...row.from_edition],
    updated_at: sql<Date>`now()`,
  };
  await trx
    .insertInto('copy_passports')
    .values({ listing_id: listingId, ...stored })
    .onConflict((conflict) => conflict.column('listing_id').doUpdateSet(stored))
    .execute();
};

export const deletePassport = async (trx: Trx, listingId: string): Promise<void> => {
  await trx.deleteFrom('copy_passports').where('listing_id', '=', listingId).execute();
};

/** The ids of the photos that a copy has. */
export const listPhotoIds = async (trx: Trx, listingId: string): Promise<string[]> => {
  const rows = await trx.selectFrom('listing_photos').select('photo_id').where('listing_id', '=', listingId).execute();
  return rows.map((row) => row.photo_id);
};

/** The same of several editions, by ISBN. */
export const listEditionFacts = async (
  db: Db,
  isbns: readonly string[],
): Promise<Map<string, { binding: string; language: string; pages: number | null }>> => {
  if (isbns.length === 0) return new Map();
  const rows = await db
    .selectFrom('editions')
    .select(['isbn13', 'binding', 'language', 'pages'])
    .where('isbn13', 'in', [...isbns])
    .execute();
  return new Map(rows.map(({ isbn13, ...facts }) => [isbn13, facts]));
};

/** What of an edition may be said of each of its copies; empty or null is unknown. */
export const findEditionFacts = (
  db: Db,
  isbn13: string,
): Promise<{ binding: string; language: string; pages: number | null } | undefined> =>
  db.selectFrom('editions').select(['binding', 'language', 'pages']).where('isbn13', '=', isbn13).executeTakeFirst();
