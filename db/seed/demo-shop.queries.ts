import { sql } from 'kysely';
import type { Category } from '#contract/catalog/catalog.ts';
import { becoming } from '#server/catalog/listings/listing.queries.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

/** Others wait for so long until the shop is put in; on a busy machine that takes a while. */
const OTHERS_WAIT = '60s';

/**
 * Marks the demo shop as put in; false when it was before, or when this is no demo shop. Others wait for the outcome.
 */
export const markSeeded = async (trx: Trx): Promise<boolean> => {
  await sql`SELECT set_config('lock_timeout', ${OTHERS_WAIT}, true), set_config('statement_timeout', ${OTHERS_WAIT}, true)`.execute(
    trx,
  );
  const { numAffectedRows } = await sql`
    INSERT INTO shop (demo, seeded_at) VALUES (true, now())
    ON CONFLICT (one) DO UPDATE SET seeded_at = now() WHERE shop.demo AND shop.seeded_at IS NULL`.execute(trx);
  return numAffectedRows === 1n;
};

/** Pauses a copy of a seller by itself, as the seller would. */
export const pauseDemoCopy = async (trx: Trx, title: string, sellerId: string): Promise<void> => {
  await trx
    .updateTable('listings')
    .set({ ...becoming('paused'), paused_alone: true })
    .where('title', '=', title)
    .where('seller_id', '=', sellerId)
    .execute();
};

/** A copy that was reduced lately: whose it is, what it cost before in cents, and how many days ago that ended. */
export interface DemoReduction {
  readonly title: string;
  readonly seller: string;
  readonly wasCents: number;
  readonly daysAgo: number;
}

export const insertDemoReductions = async (trx: Trx, reductions: readonly DemoReduction[]): Promise<void> => {
  await sql`INSERT INTO price_changes (listing_id, changed_at, from_cents, to_cents, was_cents)
    SELECT l.id, now() - make_interval(days => r."daysAgo"), r."wasCents", l.resale_cents, r."wasCents"
    FROM jsonb_to_recordset(${JSON.stringify(reductions)}::jsonb)
        AS r (title text, seller text, "wasCents" integer, "daysAgo" integer)
      JOIN users AS u ON u.email = r.seller
      JOIN listings AS l ON l.seller_id = u.id AND l.title = r.title`.execute(trx);
};

/** What a seller has begun to type into Add A Product. */
export const insertDemoDraft = async (trx: Trx, ownerId: string, fields: Record<string, string>): Promise<void> => {
  await sql`INSERT INTO listing_drafts (owner_id, version, fields, photos)
    VALUES (${ownerId}, 1, ${JSON.stringify(fields)}::jsonb, '[]')`.execute(trx);
};

/** The ids and addresses of those of `emails` who sell. */
export const findSellers = (db: Db, emails: readonly string[]): Promise<{ id: string; email: string }[]> =>
  db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('email', 'in', emails)
    .where('is_seller', '=', true)
    .where('deleted_at', 'is', null)
    .execute();

export const insertCategories = async (trx: Trx, categories: readonly Category[]): Promise<void> => {
  await trx
    .insertInto('categories')
    .values(
      categories.map((category) => ({ id: category.category_id, name: category.category_name, created_by: null })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** Of `ids`, the categories that there are. */
export const findCategoryIds = async (db: Db, ids: readonly string[]): Promise<string[]> => {
  const rows = await db.selectFrom('categories').select('id').where('id', 'in', ids).execute();
  return rows.map((row) => row.id);
};

/** Who a seller is: asked for some days ago, or known by what was looked at. */
export const insertDemoIdentity = async (trx: Trx, userId: string, reason: string | undefined): Promise<void> => {
  await sql`INSERT INTO seller_identities (user_id, asked_at, confirmed_at, reason)
    VALUES (${userId}, shop_now() - interval '3 days', CASE WHEN ${reason !== undefined} THEN shop_now() END,
      ${reason ?? ''})`.execute(trx);
};
