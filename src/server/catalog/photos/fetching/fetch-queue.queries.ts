import { sql, type RawBuilder } from 'kysely';
import type { Db } from '#server/platform/postgres/db.ts';

/** A picture that is to be fetched now, for a copy or a user. */
export interface DuePicture {
  /** Of the copy or the user. */
  readonly id: string;
  /** Whose photo it becomes. */
  readonly ownerId: string;
  readonly address: string;
  readonly host: string;
  /** How often it was tried, this time included. */
  readonly tries: number;
}

/** Pictures that wait to be fetched: of copies, or of users. */
export interface FetchQueue {
  readonly name: 'pictures' | 'portraits';
  /**
   * The picture that has waited longest, put off by a pause that doubles with each try, so that a process that dies
   * leaves it to the next; undefined where none is due. Its address is empty where nobody wants it any more.
   */
  claim(db: Db, firstPauseMinutes: number): Promise<DuePicture | undefined>;
  /** Leaves everything of a host alone for some minutes. */
  putOffHost(db: Db, host: string, minutes: number): Promise<void>;
  /** Done with, or given up. */
  drop(db: Db, id: string): Promise<void>;
}

/** `owner` and `address` are columns of `of`, whose rows the queue's `id` names. */
const queueIn = (
  name: FetchQueue['name'],
  rows: Record<'queue' | 'id' | 'of' | 'owner' | 'address', RawBuilder<unknown>>,
): FetchQueue => {
  const { queue, id, of, owner, address } = rows;
  return {
    name,
    claim: async (db, firstPauseMinutes) => {
      const claimed = await sql<DuePicture>`UPDATE ${queue} AS f SET tries = f.tries + 1,
          next_try_at = now() + make_interval(mins => ${firstPauseMinutes} * (2 ^ f.tries)::integer)
        FROM ${of} AS o WHERE o.id = f.${id} AND f.${id} = (SELECT d.${id} FROM ${queue} AS d
          JOIN ${of} AS own ON own.id = d.${id}
          WHERE d.next_try_at <= now() ORDER BY d.next_try_at LIMIT 1 FOR UPDATE OF d SKIP LOCKED)
        RETURNING f.${id} AS id, o.${owner} AS "ownerId", ${address} AS address, f.host, f.tries`.execute(db);
      return claimed.rows[0];
    },
    putOffHost: async (db, host, minutes) => {
      const until = sql`now() + make_interval(mins => ${minutes})`;
      await sql`UPDATE ${queue} SET next_try_at = ${until} WHERE host = ${host} AND next_try_at < ${until}`.execute(db);
    },
    drop: async (db, one) => {
      await sql`DELETE FROM ${queue} WHERE ${id} = ${one}`.execute(db);
    },
  };
};

/** Of copies that show their picture from elsewhere. */
export const LISTING_PICTURES = queueIn('pictures', {
  queue: sql.table('picture_fetches'),
  id: sql.ref('listing_id'),
  of: sql.table('listings'),
  owner: sql.ref('seller_id'),
  address: sql.ref('o.image_url'),
});

/** Of users whose picture is elsewhere; of those who left, nothing is wanted. */
export const PORTRAITS = queueIn('portraits', {
  queue: sql.table('portrait_fetches'),
  id: sql.ref('user_id'),
  of: sql.table('users'),
  owner: sql.ref('id'),
  address: sql`CASE WHEN o.deleted_at IS NULL THEN o.photo_url ELSE '' END`,
});
