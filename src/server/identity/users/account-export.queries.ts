import { sql } from 'kysely';
import type { Db } from '#server/platform/postgres/db.ts';

export const selectProfileToExport = (db: Db, userId: string) =>
  db
    .selectFrom('users')
    .select([
      'id',
      'email',
      'name',
      // That of the photo, or the address that the shop has not fetched yet.
      sql<string>`coalesce(nullif(portrait_address(photo_url), ''), photo_url)`.as('photo_url'),
      'is_admin',
      'is_seller',
      'is_buyer',
      'verified',
      'email_proven_at',
      'created_at',
      'time_zone',
    ])
    .where('id', '=', userId)
    .executeTakeFirst();

export const listLinksToExport = (db: Db, userId: string) =>
  db
    .selectFrom('sign_in_identities')
    .select(['provider', 'email', 'linked_at'])
    .where('user_id', '=', userId)
    .orderBy('linked_at')
    .execute();

export const listDevicesToExport = (db: Db, userId: string) =>
  db
    .selectFrom('devices')
    .select(['created_at', 'used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
