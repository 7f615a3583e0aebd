import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/db.ts';
import { ANONYMOUS, type Viewer } from '#server/platform/viewer.ts';

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** How long a session lives: unused, and at most. */
const LIFETIME = { idleSeconds: 7 * DAY_SECONDS, absoluteSeconds: 30 * DAY_SECONDS };
/** The same for admins in production, where a forgotten browser would cost more. */
const ADMIN_LIFETIME = { idleSeconds: 30 * MINUTE_SECONDS, absoluteSeconds: 12 * HOUR_SECONDS };
/** A session's last use is noted at most this often, so that reading pages does not write. */
const TOUCH_SECONDS = MINUTE_SECONDS;

/** How long a session of this person lasts at most, in seconds. */
export const absoluteSecondsOf = (config: Config, isAdmin: boolean): number =>
  (isAdmin && config.mode === 'production' ? ADMIN_LIFETIME : LIFETIME).absoluteSeconds;

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

const secondsAgo = (isShort: ReturnType<typeof sql<boolean>>, part: 'idleSeconds' | 'absoluteSeconds') =>
  sql<Date>`now() - CASE WHEN ${isShort} THEN ${sql.lit(ADMIN_LIFETIME[part])} ELSE ${sql.lit(LIFETIME[part])} END * interval '1 second'`;

/** Live sessions with their people: one statement says whether a credential holds and what its owner may do. */
const liveSessions = (db: Db, config: Config) => {
  const isShort = config.mode === 'production' ? sql<boolean>`u.is_admin` : sql<boolean>`false`;
  return (
    db
      .selectFrom('sessions as s')
      .innerJoin('users as u', 'u.id', 's.user_id')
      .select([
        's.id as sessionId',
        's.created_at as signedInAt',
        'u.id as userId',
        'u.email',
        'u.name',
        'u.is_admin as isAdmin',
        'u.is_seller as isSeller',
        'u.is_buyer as isBuyer',
        'u.email_proven_at as emailProvenAt',
        sql<boolean>`s.used_at < now() - ${sql.lit(TOUCH_SECONDS)} * interval '1 second'`.as('isStale'),
      ])
      .where('u.deleted_at', 'is', null)
      .where('s.expires_at', '>', sql<Date>`now()`)
      .where('s.used_at', '>', secondsAgo(isShort, 'idleSeconds'))
      // Beside expires_at, because someone may have become an admin since.
      .where('s.created_at', '>', secondsAgo(isShort, 'absoluteSeconds'))
  );
};

type Row = Awaited<ReturnType<ReturnType<typeof liveSessions>['executeTakeFirstOrThrow']>>;

const used = async (db: Db, row: Row | undefined): Promise<Viewer> => {
  if (row === undefined) return ANONYMOUS;
  const { isStale, ...person } = row;
  if (isStale) await touchSession(db, person.sessionId);
  return { kind: 'signed-in', ...person };
};

const touchSession = (db: Db, id: string): Promise<unknown> =>
  db
    .updateTable('sessions')
    .set({ used_at: sql`now()` })
    .where('id', '=', id)
    // Again here: of many requests at once, one writes.
    .where(sql<boolean>`used_at < now() - ${sql.lit(TOUCH_SECONDS)} * interval '1 second'`)
    .execute();

/** Whoever's live session has `token` in its cookie; counts as a use. */
export const selectViewerOfCookie = async (db: Db, config: Config, token: string): Promise<Viewer> =>
  used(db, await liveSessions(db, config).where('s.token_hash', '=', hashOf(token)).executeTakeFirst());

/** Whoever's live session an access token names, if the token itself has not expired by the database's clock; counts as a use. */
export const selectViewerOfClaims = async (
  db: Db,
  config: Config,
  claims: { sessionId: string; userId: string; expiresAtSeconds: number; lifetimeSeconds: number },
): Promise<Viewer> => {
  const expiresAt = sql`${claims.expiresAtSeconds}::float8`;
  const row = await liveSessions(db, config)
    .where('s.id', '=', claims.sessionId)
    .where('s.user_id', '=', claims.userId)
    .where(
      sql<boolean>`extract(epoch FROM now()) < ${expiresAt} AND ${expiresAt} <= extract(epoch FROM now()) + ${sql.lit(claims.lifetimeSeconds)}`,
    )
    .executeTakeFirst();
  return used(db, row);
};

/** Starts a session; its id, or undefined when the person is gone. */
export const insertSession = async (
  db: Db,
  session: { token: string; userId: string; userAgent: string; absoluteSeconds: number },
): Promise<string | undefined> => {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO sessions (token_hash, user_id, user_agent, expires_at)
    SELECT ${hashOf(session.token)}, id, ${session.userAgent}, now() + ${sql.lit(session.absoluteSeconds)} * interval '1 second'
    FROM users WHERE id = ${session.userId} AND deleted_at IS NULL
    RETURNING id`.execute(db);
  return rows[0]?.id;
};

export const deleteSessionOfCookie = (db: Db, token: string): Promise<unknown> =>
  db.deleteFrom('sessions').where('token_hash', '=', hashOf(token)).execute();

export const deleteSession = (db: Db, id: string): Promise<unknown> =>
  db.deleteFrom('sessions').where('id', '=', id).execute();

/** Drops sessions that can never be used again. */
export const deleteDeadSessions = (db: Db): Promise<unknown> =>
  db
    .deleteFrom('sessions')
    .where((where) =>
      where.or([
        where('expires_at', '<=', sql<Date>`now()`),
        where('used_at', '<=', sql<Date>`now() - ${sql.lit(LIFETIME.idleSeconds)} * interval '1 second'`),
      ]),
    )
    .execute();
