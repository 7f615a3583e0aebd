import { errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { sql } from 'kysely';
import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { ANONYMOUS, type SignedIn, type Viewer } from '#server/platform/viewer.ts';
import { selectViewerOfClaims } from './sessions.queries.ts';
import { newestSigningKey, SIGNING_ALGORITHM, verificationKey } from './signing-keys.ts';

export const ACCESS_TOKEN_LIFETIME_SECONDS = 600;
const AUDIENCE = 'dogear-api';
/** RFC 9068: keeps any other kind of token from being taken for an access token. */
const TYPE = 'at+jwt';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const databaseNowSeconds = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ now: number }>`SELECT extract(epoch FROM now())::float8 AS now`.execute(db);
  return Math.floor(rows[0]?.now ?? Number.NaN);
};

/** A signed token for the user's present session; it names them by id and dies with the session. */
export const issueAccessToken = async (db: Db, config: Config, user: SignedIn): Promise<string> => {
  const key = await newestSigningKey(db);
  const now = await databaseNowSeconds(db);
  return new SignJWT({ sid: user.sessionId })
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: TYPE, kid: key.kid })
    .setIssuer(config.publicUrl)
    .setAudience(AUDIENCE)
    .setSubject(user.userId)
    .setIssuedAt(now)
    .setExpirationTime(now + ACCESS_TOKEN_LIFETIME_SECONDS)
    .sign(key.privateKey);
};

/** The claims of a token that we signed for this shop; undefined for anything else. Time is judged by the database. */
const claimsOf = async (db: Db, config: Config, token: string): Promise<JWTPayload | undefined> => {
  try {
    const { payload } = await jwtVerify(
      token,
      async ({ kid }) => {
        const key = kid === undefined ? undefined : await verificationKey(db, kid);
        if (key === undefined) throw new errors.JWKSNoMatchingKey();
        return key;
      },
      {
        algorithms: [SIGNING_ALGORITHM],
        typ: TYPE,
        issuer: config.publicUrl,
        audience: AUDIENCE,
        requiredClaims: ['sub', 'sid', 'iat', 'exp'],
        // The statement that loads the session compares exp with the database's clock; this one may be wrong.
        currentDate: new Date(0),
      },
    );
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
};

/**
 * A token is sent with every call for ten minutes: its signature is looked at again after so long, and not each time.
 */
const LOOKED_AT_FOR_MS = 30_000;
const MOST_LOOKED_AT = 5_000;
const lookedAt = new WeakMap<Db, Map<string, { readonly claims: JWTPayload; readonly atMs: number }>>();

/**
 * As `claimsOf`; of a token that was ours a moment ago by memory. Whether it is still good is asked of the database
 * each time.
 */
const rememberedClaimsOf = async (db: Db, config: Config, token: string): Promise<JWTPayload | undefined> => {
  const tokens = lookedAt.get(db) ?? new Map<string, { claims: JWTPayload; atMs: number }>();
  lookedAt.set(db, tokens);
  const known = tokens.get(token);
  if (known !== undefined && performance.now() - known.atMs < LOOKED_AT_FOR_MS) return known.claims;
  tokens.delete(token);
  const claims = await claimsOf(db, config, token);
  if (claims === undefined) return undefined;
  if (tokens.size >= MOST_LOOKED_AT) tokens.clear();
  tokens.set(token, { claims, atMs: performance.now() });
  return claims;
};

/** Who sent an access token: anonymous unless it is ours, unexpired, and its session and user still live. */
export const viewerOfAccessToken = async (db: Db, config: Config, token: string): Promise<Viewer> => {
  const claims = await rememberedClaimsOf(db, config, token);
  const { sub, sid, exp } = claims ?? {};
  if (typeof sub !== 'string' || typeof sid !== 'string' || exp === undefined) return ANONYMOUS;
  if (!UUID.test(sub) || !UUID.test(sid)) return ANONYMOUS;
  return selectViewerOfClaims(db, config, {
    sessionId: sid,
    userId: sub,
    expiresAtSeconds: exp,
    lifetimeSeconds: ACCESS_TOKEN_LIFETIME_SECONDS,
  });
};
