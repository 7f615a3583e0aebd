import { sql } from 'kysely';
import { DRAFT_DAYS } from '#contract/catalog/listing-drafts.ts';
import type { PhotoChoice } from '#contract/catalog/photos.ts';
import type { PhotoCaption } from '#contract/catalog/photo-rules.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

export interface DraftRow {
  readonly version: number;
  readonly savedAt: Date;
  readonly fields: Record<string, string>;
  readonly photos: { readonly id: string; readonly caption: PhotoCaption | null }[];
}

const OVER = sql`now() - make_interval(days => ${sql.lit(DRAFT_DAYS)})`;

/** A user's draft with those of its photos that there are. */
export const findDraft = async (db: Db, ownerId: string): Promise<DraftRow | undefined> => {
  const { rows } = await sql<DraftRow>`
    SELECT d.version::float8 AS version, d.saved_at AS "savedAt", d.fields,
      coalesce((SELECT jsonb_agg(jsonb_build_object('id', p.id, 'caption', c.choice->'caption') ORDER BY c.place)
        FROM jsonb_array_elements(d.photos) WITH ORDINALITY AS c (choice, place)
        JOIN photos AS p ON p.id = (c.choice->>'id')::uuid AND p.deleted_at IS NULL AND p.owner_id = d.owner_id),
        '[]') AS photos
    FROM listing_drafts AS d WHERE d.owner_id = ${ownerId} AND d.saved_at > ${OVER}`.execute(db);
  return rows[0];
};

/** Later ones are greater, also after a draft was dropped: no version means two drafts. */
const NEXT = sql`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;

/**
 * Writes a draft where it is at `version`, 0 for none; undefined where it is at another, or was dropped. One that is
 * over counts as none.
 */
export const writeDraft = async (
  trx: Trx,
  draft: { ownerId: string; version: number; fields: Record<string, string>; photos: readonly PhotoChoice[] },
): Promise<{ version: number; savedAt: Date } | undefined> => {
  const { ownerId, version } = draft;
  const { rows } = await sql<{ version: number; savedAt: Date }>`
    INSERT INTO listing_drafts AS d (owner_id, version, fields, photos)
    SELECT ${ownerId}, ${NEXT}, ${JSON.stringify(draft.fields)}::jsonb, ${JSON.stringify(draft.photos)}::jsonb
    WHERE ${version}::bigint = 0 OR EXISTS (SELECT FROM listing_drafts WHERE owner_id = ${ownerId})
    ON CONFLICT (owner_id) DO UPDATE SET version = greatest(d.version + 1, ${NEXT}), fields = excluded.fields, photos = excluded.photos,
      saved_at = now()
    WHERE d.version = ${version}::bigint OR d.saved_at <= ${OVER}
    RETURNING d.version::float8 AS version, d.saved_at AS "savedAt"`.execute(trx);
  return rows[0];
};

/** A user's draft, kept as it is until the transaction ends, with the ids of its photos; undefined without one. */
export const lockDraft = async (
  trx: Trx,
  ownerId: string,
): Promise<{ version: number; photoIds: string[] } | undefined> => {
  const { rows } = await sql<{ version: number; photos: { id: string }[] }>`
    SELECT version::float8 AS version, photos FROM listing_drafts WHERE owner_id = ${ownerId} FOR UPDATE`.execute(trx);
  const [row] = rows;
  return row && { version: row.version, photoIds: row.photos.map(({ id }) => id) };
};

/** Those of the photos that are this user's are kept as long as the draft that has them. */
export const keepForDraft = async (trx: Trx, ownerId: string, ids: readonly string[]): Promise<void> => {
  await sql`UPDATE photos SET keep_until = greatest(keep_until, now() + make_interval(days => ${sql.lit(DRAFT_DAYS)}))
    WHERE id = ANY (${ids}::uuid[]) AND owner_id = ${ownerId} AND deleted_at IS NULL`.execute(trx);
};

/** Photos that a draft has no more are kept for one day, and as long as a listing has them. */
export const releaseFromDraft = async (trx: Trx, ownerId: string, ids: readonly string[]): Promise<void> => {
  await sql`UPDATE photos SET keep_until = least(keep_until, now() + interval '1 day')
    WHERE id = ANY (${ids}::uuid[]) AND owner_id = ${ownerId} AND deleted_at IS NULL AND keep_until < 'infinity'`.execute(
    trx,
  );
};

export const deleteDraft = async (trx: Trx, ownerId: string): Promise<void> => {
  await trx.deleteFrom('listing_drafts').where('owner_id', '=', ownerId).execute();
};

export const deleteOldDrafts = async (db: Db): Promise<void> => {
  await sql`DELETE FROM listing_drafts WHERE saved_at <= ${OVER}`.execute(db);
};
