import { randomBytes } from 'node:crypto';
import type { SessionUser } from '#contract/identity.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db, Trx } from '#server/platform/db.ts';
import { unauthenticated } from '#server/platform/errors.ts';
import { ANONYMOUS, requireOwnAddress, requireSignedIn, type Viewer } from '#server/platform/viewer.ts';
import { issueAccessToken } from './access-token.ts';
import { deleteOldAttempts } from './attempts.queries.ts';
import { rolesOf } from './role.policy.ts';
import {
  absoluteSecondsOf,
  deleteDeadSessions,
  deleteSession,
  deleteSessionOfCookie,
  insertSession,
  selectViewerOfCookie,
} from './sessions.queries.ts';
import { selectPersonById, type Person } from './users.queries.ts';

const TOKEN_BYTES = 32;
/** What 32 bytes look like in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** A session that was just started: the only moment its token is known. */
export interface StartedSession {
  readonly token: string;
  readonly maxAgeSeconds: number;
}

/** What the browser may know of the person. */
export const sessionUserOf = (person: Person): SessionUser => ({
  uid: person.id,
  email: person.email,
  displayName: person.name,
  photoURL: person.photoUrl,
  roles: rolesOf(person),
});

/** Starts a session with a token of its own, and ends the one whose cookie the browser still sent. */
export const startSession = async (
  trx: Trx,
  config: Config,
  input: { person: Person; userAgent: string; replaces: string | undefined },
): Promise<StartedSession> => {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const maxAgeSeconds = absoluteSecondsOf(config, input.person.isAdmin);
  if (input.replaces !== undefined && TOKEN.test(input.replaces)) await deleteSessionOfCookie(trx, input.replaces);
  const id = await insertSession(trx, {
    token,
    userId: input.person.id,
    userAgent: input.userAgent,
    absoluteSeconds: maxAgeSeconds,
  });
  // The person was deleted while the password was being checked.
  if (id === undefined) throw unauthenticated();
  return { token, maxAgeSeconds };
};

/** Who a session cookie belongs to: anonymous unless the session lives and its person is there. */
export const viewerOfSessionToken = async (db: Db, config: Config, token: string): Promise<Viewer> =>
  TOKEN.test(token) ? selectViewerOfCookie(db, config, token) : ANONYMOUS;

/** The viewer as the browser knows them; null for a visitor. */
export const readSession = async (db: Db, viewer: Viewer): Promise<SessionUser | null> => {
  if (viewer.kind === 'anonymous') return null;
  const person = await selectPersonById(db, viewer.userId);
  return person === undefined ? null : sessionUserOf(person);
};

/** Ends the viewer's session; its access tokens die with it. */
export const endSession = async (db: Db, viewer: Viewer): Promise<void> => {
  await deleteSession(db, requireSignedIn(viewer).sessionId);
};

/** An access token for the viewer's session, whose address `email` must be. */
export const renewAccessToken = async (db: Db, config: Config, viewer: Viewer, email: string): Promise<string> => {
  const person = requireSignedIn(viewer);
  requireOwnAddress(email, person);
  return issueAccessToken(db, config, person);
};

/** Drops sessions and counters that no longer mean anything; to be run now and then. */
export const sweepIdentity = async (db: Db): Promise<void> => {
  await deleteDeadSessions(db);
  await deleteOldAttempts(db);
};
