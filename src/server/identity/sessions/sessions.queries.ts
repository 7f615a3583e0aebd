import { sql } from 'kysely';
import type { Config } from '#server/platform/config.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { prepared, query, queryPipelined } from '#server/platform/postgres/query.ts';
import { ANONYMOUS, awaitsSecondFactor, type SignedIn, type Viewer } from '#server/platform/viewer.ts';
import { hashOfToken } from '#server/identity/random-token.ts';

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** How long a session lives: unused, and at most. */
const LIFETIME = { idleSeconds: 7 * DAY_SECONDS, absoluteSeconds: 30 * DAY_SECONDS };
/** The same for admins in production, where a forgotten browser would cost more. */
const ADMIN_LIFETIME = { idleSeconds: 30 * MINUTE_SECONDS, absoluteSeconds: 12 * HOUR_SECONDS };
/** A sign-in this young counts as fresh for what guards an account (safety S45). */
const FRESH_SIGN_IN_SECONDS = 15 * MINUTE_SECONDS;
/** A session's last use is noted at most this often, so that reading pages does not write. */
const TOUCH_SECONDS = MINUTE_SECONDS;

/** How long a session of this user lasts at most, in seconds. */
export const absoluteSecondsOf = (config: Config, isAdmin: boolean): number =>
  (isAdmin && config.mode === 'production' ? ADMIN_LIFETIME : LIFETIME).absoluteSeconds;

interface ViewerRow extends Omit<SignedIn, 'kind'> {
  /** Whether its last use was long enough ago to note this one. */
  readonly isStale: boolean;
}

const secondsAgo = (isShort: string, part: 'idleSeconds' | 'absoluteSeconds'): string =>
  `now() - CASE WHEN ${isShort} THEN ${ADMIN_LIFETIME[part]} ELSE ${LIFETIME[part]} END * interval '1 second'`;

/** SQL over live sessions with their users. In production those of admins are shorter. */
const liveSessions = (isProduction: boolean, columns: string, where: string): string => {
  const isShort = isProduction ? 'u.is_admin' : 'false';
  // created_at beside expires_at, because someone may have become an admin since.
  return `SELECT ${columns} FROM sessions AS s JOIN users AS u ON u.id = s.user_id
    WHERE u.deleted_at IS NULL AND s.expires_at > now() AND s.used_at > ${secondsAgo(isShort, 'idleSeconds')}
      AND s.created_at > ${secondsAgo(isShort, 'absoluteSeconds')} AND ${where}`;
};

/** One statement says whether a credential holds and what its owner may do. */
const viewers = (where: string): Record<'production' | 'elsewhere', string> => {
  const columns = (
    secondFactor: string,
  ): string => `s.id AS "sessionId", u.id AS "userId", u.email, u.name, u.is_admin AS "isAdmin",
    u.is_seller AS "isSeller", u.is_buyer AS "isBuyer", u.email_proven_at AS "emailProvenAt",
    is_suspended(u.id) AS "isSuspended", ${secondFactor} AS "secondFactor",
    s.signed_in_at > now() - ${FRESH_SIGN_IN_SECONDS} * interval '1 second' AS "hasFreshSignIn",
    s.used_at < now() - ${TOUCH_SECONDS} * interval '1 second' AS "isStale"`;
  const ofAdmin = `CASE WHEN NOT u.is_admin THEN 'not needed' WHEN s.second_factor_at IS NOT NULL THEN 'shown'
      WHEN EXISTS (SELECT FROM passkeys AS p WHERE p.user_id = u.id) THEN 'to be shown' ELSE 'to be made' END`;
  return {
    production: prepared('viewer', liveSessions(true, columns(ofAdmin), where)),
    elsewhere: prepared('viewer', liveSessions(false, columns(`'not needed'`), where)),
  };
};

/** Put together once: one of them comes with every call of somebody who is signed in. */
const VIEWER_OF_COOKIE = viewers('s.token_hash = $1');
const VIEWER_OF_CLAIMS = viewers(`s.id = $1 AND s.user_id = $2 AND extract(epoch FROM now()) < $3::float8
      AND $3::float8 <= extract(epoch FROM now()) + $4::float8`);

const used = async (db: Db, config: Config, texts: typeof VIEWER_OF_COOKIE, values: unknown[]): Promise<Viewer> => {
  const [row] = await queryPipelined<ViewerRow>(
    db,
    texts[config.mode === 'production' ? 'production' : 'elsewhere'],
    values,
  );
  if (row === undefined) return ANONYMOUS;
  const { isStale, ...user } = row;
  // The one place that decides whether someone acts as an admin: whatever asks for `isAdmin` asks for both.
  const isAdmin = user.isAdmin && !awaitsSecondFactor(user);
  if (isStale) await touchSession(db, user.sessionId);
  return { kind: 'signed-in', ...user, isAdmin };
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
  used(db, config, VIEWER_OF_COOKIE, [hashOfToken(token)]);

/**
 * Whoever's live session an access token names, if the token itself has not expired by the database's clock; counts as
 * a use.
 */
export const selectViewerOfClaims = async (
  db: Db,
  config: Config,
  claims: { sessionId: string; userId: string; expiresAtSeconds: number; lifetimeSeconds: number },
): Promise<Viewer> => {
  const { sessionId, userId, expiresAtSeconds, lifetimeSeconds } = claims;
  return used(db, config, VIEWER_OF_CLAIMS, [sessionId, userId, expiresAtSeconds, lifetimeSeconds]);
};

/** Starts a session of a user who is locked; its id. */
export const insertSession = async (
  trx: Trx,
  session: {
    token: string;
    userId: string;
    userAgent: string;
    absoluteSeconds: number;
    secondFactor: boolean;
    wayIn: string;
  },
): Promise<string> => {
  const { id } = await trx
    .insertInto('sessions')
    .values({
      token_hash: hashOfToken(session.token),
      user_id: session.userId,
      user_agent: session.userAgent,
      expires_at: sql<Date>`now() + ${sql.lit(session.absoluteSeconds)} * interval '1 second'`,
      second_factor_at: session.secondFactor ? sql<Date>`now()` : null,
      way_in: session.wayIn,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};

/** Ends the sessions of a user that were used longest ago, beyond `most`. */
export const deleteSessionsBeyond = (trx: Trx, userId: string, most: number): Promise<unknown> =>
  trx
    .deleteFrom('sessions')
    .where('id', 'in', (of) =>
      of
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('used_at', 'desc')
        .orderBy('id')
        .offset(most)
        .forUpdate()
        .skipLocked(),
    )
    .execute();

/** Whether a session was not ended. */
export const isSessionThere = async (trx: Trx, id: string): Promise<boolean> =>
  (await trx.selectFrom('sessions').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;

/** Ends the sessions of a user that began by a way in, but one. */
export const deleteSessionsBegunBy = (trx: Trx, userId: string, wayIn: string, except: string): Promise<unknown> =>
  trx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('way_in', '=', wayIn)
    .where('id', '!=', except)
    .execute();

export const deleteSessionOfCookie = (db: Db, token: string): Promise<unknown> =>
  db.deleteFrom('sessions').where('token_hash', '=', hashOfToken(token)).execute();

export const deleteSession = (db: Db, id: string): Promise<unknown> =>
  db.deleteFrom('sessions').where('id', '=', id).execute();

/** A session as its owner sees it. */
export interface SessionRow {
  readonly id: string;
  readonly userAgent: string;
  readonly createdAt: Date;
  readonly usedAt: Date;
}

/** The user's live sessions, the one used last first. */
export const listSessionRows = (db: Db, config: Config, userId: string): Promise<SessionRow[]> =>
  query(
    db,
    `${liveSessions(
      config.mode === 'production',
      's.id, s.user_agent AS "userAgent", s.created_at AS "createdAt", s.used_at AS "usedAt"',
      's.user_id = $1',
    )} ORDER BY s.used_at DESC, s.id`,
    [userId],
  );

/** Ends one session of a user; answers whether there was one. */
export const deleteSessionOf = async (db: Db, userId: string, id: string): Promise<boolean> => {
  const result = await db.deleteFrom('sessions').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst();
  return result.numDeletedRows > 0n;
};

/** Ends the user's sessions but one; answers how many. */
export const deleteOtherSessions = async (db: Db, userId: string, except: string | null): Promise<number> => {
  const result = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(except !== null, (query) => query.where('id', '!=', except))
    .executeTakeFirst();
  return Number(result.numDeletedRows);
};

/** Gives a session another token after its user proved again who they are; answers how long it still lasts at most. */
export const renewSession = async (
  trx: Trx,
  session: { id: string; token: string; secondFactor: boolean },
): Promise<number | undefined> => {
  const { rows } = await sql<{ secondsLeft: number }>`
    UPDATE sessions SET token_hash = ${hashOfToken(session.token)}, signed_in_at = now(), used_at = now(),
      second_factor_at = CASE WHEN ${session.secondFactor} THEN now() ELSE second_factor_at END
    WHERE id = ${session.id}
    RETURNING floor(extract(epoch FROM expires_at - now()))::int AS "secondsLeft"`.execute(trx);
  return rows[0]?.secondsLeft;
};

/** Notes that a session showed its user's second factor. */
export const noteSecondFactor = (trx: Trx, id: string): Promise<unknown> =>
  trx
    .updateTable('sessions')
    .set({ second_factor_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();

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

/** Sessions of a user that have not ended, the last used first. */
export const listSessionsInUse = (
  db: Db,
  userId: string,
  limit: number,
): Promise<{ userAgent: string; since: Date; usedAt: Date }[]> =>
  db
    .selectFrom('sessions')
    .select(['user_agent as userAgent', 'created_at as since', 'used_at as usedAt'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('used_at', 'desc')
    .limit(limit)
    .execute();
