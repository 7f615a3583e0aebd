import { sql } from 'kysely';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { prepared, query } from '#server/platform/postgres/query.ts';

/** A user's photo; what is made of it is undefined once it was deleted. */
export interface PhotoRow {
  readonly id: string;
  readonly ownerId: string;
  readonly digest: Buffer;
  readonly file: PhotoFile | undefined;
  /** Whether a listing, a promise or its owner is shown by it, so that everybody may see it. */
  readonly isPublic: boolean;
}

/** What lies in the store; sizes in pixels, of the largest. */
export interface PhotoFile {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly colour: string;
}

/** A listing that can be looked at, what a buyer was promised, or a user in the shop has the file `f`. */
const IS_PUBLIC = `(EXISTS (SELECT FROM photos AS p JOIN listing_photos AS i ON i.photo_id = p.id
    JOIN listings AS l ON l.id = i.listing_id WHERE p.name = f.name AND l.status <> 'withdrawn')
  OR EXISTS (SELECT FROM promised_photos AS b WHERE b.name = f.name)
  OR EXISTS (SELECT FROM photos AS p JOIN users AS u ON u.id = p.owner_id
    WHERE p.name = f.name AND u.photo_url = f.name AND u.deleted_at IS NULL))`;

export const findPhoto = async (db: Db, id: string): Promise<PhotoRow | undefined> => {
  const [row] = await query<Omit<PhotoRow, 'file'> & Partial<PhotoFile>>(
    db,
    `SELECT own.id, own.owner_id AS "ownerId", own.digest, f.name, f.width, f.height, f.colour,
      coalesce(${IS_PUBLIC}, false) AS "isPublic"
    FROM photos AS own LEFT JOIN photo_files AS f ON f.name = own.name WHERE own.id = $1`,
    [id],
  );
  if (row === undefined) return undefined;
  const { name, width, height, colour, ...photo } = row;
  const isThere = name != null && width != null && height != null && colour != null;
  return { ...photo, file: isThere ? { name, width, height, colour } : undefined };
};

/** How many photos somebody uploaded within a day, deleted ones too, and how many bytes of theirs lie in the store. */
export const readUsage = async (db: Db, ownerId: string): Promise<{ today: number; bytes: number }> => {
  const [row] = await query<{ today: number; bytes: string }>(
    db,
    `SELECT count(*) FILTER (WHERE p.created_at > now() - interval '1 day')::integer AS today,
      coalesce(sum(f.bytes), 0)::text AS bytes
    FROM photos AS p LEFT JOIN photo_files AS f ON f.name = p.name
    WHERE p.owner_id = $1 AND p.fetched_from IS NULL`,
    [ownerId],
  );
  return { today: row?.today ?? 0, bytes: Number(row?.bytes ?? 0) };
};

/** One photo of a user is written down at a time, so that what they have is counted whole. */
export const lockUploads = async (trx: Trx, ownerId: string): Promise<void> => {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`photos:${ownerId}`}, 0))`.execute(trx);
};

/**
 * Notes that a file is wanted; `stored`: it lies in the store already; `going`: it is being taken out of it just now.
 */
export const claimFile = async (
  db: Db,
  { name, width, height, colour, bytes }: PhotoFile & { readonly bytes: number },
): Promise<'stored' | 'missing' | 'going'> => {
  const [row] = await query<{ stored: boolean }>(
    db,
    `INSERT INTO photo_files (name, width, height, colour, bytes) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (name) DO UPDATE SET keep_until = greatest(photo_files.keep_until, now() + interval '1 day')
      WHERE photo_files.going_at IS NULL
    RETURNING stored_at IS NOT NULL AS stored`,
    [name, width, height, colour, bytes],
  );
  if (row === undefined) return 'going';
  return row.stored ? 'stored' : 'missing';
};

export const markStored = async (db: Db, name: string): Promise<void> => {
  await query(db, 'UPDATE photo_files SET stored_at = now() WHERE name = $1 AND going_at IS NULL', [name]);
};

export interface NewPhoto {
  readonly id: string;
  readonly ownerId: string;
  readonly name: string;
  /** sha-256 of what was sent. */
  readonly digest: Buffer;
  readonly fetchedFrom: string | null;
}

/**
 * Writes a photo down; `taken`: another of this id was written meanwhile; `gone`: its file is not in the store any
 * more, or its owner not in the shop.
 */
export const insertPhoto = async (trx: Trx, photo: NewPhoto): Promise<'written' | 'taken' | 'gone'> => {
  const [there] = await query(
    trx,
    `SELECT FROM photo_files AS f, users AS u WHERE f.name = $1 AND f.stored_at IS NOT NULL AND f.going_at IS NULL
      AND u.id = $2 AND u.deleted_at IS NULL FOR KEY SHARE`,
    [photo.name, photo.ownerId],
  );
  if (there === undefined) return 'gone';
  const [row] = await query(
    trx,
    `WITH written AS (INSERT INTO photos (id, owner_id, name, digest, fetched_from) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (id) DO NOTHING RETURNING name)
    UPDATE photo_files SET keep_until = 'infinity' WHERE name IN (SELECT name FROM written) RETURNING name`,
    [photo.id, photo.ownerId, photo.name, photo.digest, photo.fetchedFrom],
  );
  return row === undefined ? 'taken' : 'written';
};

/**
 * The file of a photo that this user may see privately: an own one, one of a problem with an order they see, or one
 * that was sent to them; admins see those of orders.
 */
export const findPrivateFile = async (
  db: Db,
  id: string,
  viewer: { readonly userId: string; readonly isAdmin: boolean },
): Promise<PhotoFile | undefined> =>
  (
    await query<PhotoFile>(
      db,
      `SELECT f.name, f.width, f.height, f.colour FROM photos AS p JOIN photo_files AS f ON f.name = p.name
      WHERE p.id = $1 AND (p.owner_id = $2 OR EXISTS (SELECT FROM order_photos AS i JOIN orders AS o ON o.id = i.order_id
        WHERE i.photo_id = p.id AND ($3 OR o.buyer_id = $2 OR o.seller_id = $2))
        OR EXISTS (SELECT FROM message_photos AS i JOIN messages AS m ON m.id = i.message_id
          JOIN message_threads AS t ON t.id = m.thread_id
        WHERE i.photo_id = p.id AND m.hidden_at IS NULL AND ($3 AND t.order_id IS NOT NULL OR t.buyer_id = $2 OR t.seller_id = $2)))`,
      [id, viewer.userId, viewer.isAdmin],
    )
  )[0];

const PUBLIC_FILE = prepared(
  'public_photo',
  `SELECT f.name, f.width, f.height, f.colour FROM photo_files AS f
  WHERE f.name = $1 AND f.stored_at IS NOT NULL AND f.going_at IS NULL AND ${IS_PUBLIC}`,
);

/** A photo that everybody may see, by its name. */
export const findPublicFile = async (db: Db, name: string): Promise<PhotoFile | undefined> =>
  (await query<PhotoFile>(db, PUBLIC_FILE, [name]))[0];

/** Whether a listing, a problem with an order or a message has the photo, or its owner is shown by it. */
export const isUsed = async (trx: Trx, id: string): Promise<boolean> => {
  const rows = await query(
    trx,
    `SELECT FROM photos AS p WHERE p.id = $1 AND (EXISTS (SELECT FROM listing_photos AS i WHERE i.photo_id = p.id)
      OR EXISTS (SELECT FROM order_photos AS o WHERE o.photo_id = p.id)
      OR EXISTS (SELECT FROM message_photos AS m WHERE m.photo_id = p.id)
      OR EXISTS (SELECT FROM users AS u WHERE u.id = p.owner_id AND u.photo_url = p.name))`,
    [id],
  );
  return rows.length > 0;
};
