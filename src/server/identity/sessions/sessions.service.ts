import type { SessionUser } from '#contract/users/identity.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { ANONYMOUS, requireOwnAddress, requireSignedIn, type Viewer } from '#server/platform/viewer.ts';
import { issueAccessToken } from './access-token.ts';
import { deleteOldLinks } from '#server/identity/mail-links/account-links.queries.ts';
import { deleteOldAttempts } from '#server/identity/passwords/attempts.queries.ts';
import { deleteForgottenDevices } from './devices.queries.ts';
import { noteDevice, type DeviceCookie } from './devices.ts';
import { deviceWords } from './device-words.ts';
import { deleteOldChallenges } from '#server/identity/passkeys/passkeys.queries.ts';
import { isToken, newToken } from '#server/identity/random-token.ts';
import { rolesOf } from '#server/identity/users/role.policy.ts';
import {
  absoluteSecondsOf,
  deleteDeadSessions,
  deleteOtherSessions,
  deleteSession,
  deleteSessionOfCookie,
  deleteSessionsBeyond,
  insertSession,
  selectViewerOfCookie,
} from './sessions.queries.ts';
import { deleteOldFlows } from '#server/identity/social/flows.queries.ts';
import { selectUserById, type User } from '#server/identity/users/users.queries.ts';
import { holdWayIn, wayInName, type WayIn } from './ways-in.service.ts';

/** More places than anybody is signed in at; the session used longest ago ends for the newest. */
const MOST_SESSIONS = 50;

/** A session that was just started: the only moment its token is known. */
export interface StartedSession {
  readonly token: string;
  readonly maxAgeSeconds: number;
  /** What the browser's long-lived cookie shall hold. */
  readonly device?: DeviceCookie;
}

/** What the browser may know of the user. */
export const sessionUserOf = (user: User): SessionUser => ({
  uid: user.id,
  email: user.email,
  displayName: user.name,
  photoURL: user.photoUrl,
  roles: rolesOf(user),
  emailProven: user.emailProvenAt !== null,
  timeZone: user.timeZone,
});

/** What is known of a browser that somebody signs in with. */
export interface SigningIn {
  readonly user: User;
  /** What was checked to know who it is. */
  readonly way: WayIn;
  readonly userAgent: string;
  /** The session token it still sent: ended when a new session starts. */
  readonly replaces: string | undefined;
  /** The token of its long-lived cookie. */
  readonly device?: string | undefined;
}

/**
 * Starts a session with a token of its own, if the way in that was checked is still the user's (else 401), and ends the
 * one whose cookie the browser still sent. A browser the user never used before is told to them by mail, unless it is
 * their first.
 */
export const startSession = async (trx: Trx, config: Config, input: SigningIn): Promise<StartedSession> => {
  const { user, way, userAgent, replaces } = input;
  const token = newToken();
  const maxAgeSeconds = absoluteSecondsOf(config, user.isAdmin);
  await holdWayIn(trx, user.id, way);
  if (isToken(replaces)) await deleteSessionOfCookie(trx, replaces);
  const id = await insertSession(trx, {
    token,
    userId: user.id,
    userAgent,
    absoluteSeconds: maxAgeSeconds,
    // A passkey counts as two factors.
    secondFactor: way.kind === 'passkey',
    wayIn: wayInName(way),
  });
  await deleteSessionsBeyond(trx, user.id, MOST_SESSIONS);
  const device = await noteDevice(trx, user.id, input.device);
  if (device.isNews) {
    await queueMail(trx, {
      kind: 'new-sign-in',
      key: `new-sign-in:${id}`,
      to: { email: user.email, name: user.name },
      data: { at: new Date().toISOString(), device: deviceWords(userAgent) },
    });
  }
  return { token, maxAgeSeconds, device: device.cookie };
};

/** Who a session cookie belongs to: anonymous unless the session lives and its user is there. */
export const viewerOfSessionToken = async (db: Db, config: Config, token: string): Promise<Viewer> =>
  isToken(token) ? selectViewerOfCookie(db, config, token) : ANONYMOUS;

/** The viewer as the browser knows them; null for a visitor. */
export const readSession = async (db: Db, viewer: Viewer): Promise<SessionUser | null> => {
  if (viewer.kind === 'anonymous') return null;
  const user = await selectUserById(db, viewer.userId);
  return user === undefined ? null : sessionUserOf(user);
};

/** Ends the viewer's session; its access tokens die with it. */
export const endSession = async (db: Db, viewer: Viewer): Promise<void> => {
  await deleteSession(db, requireSignedIn(viewer).sessionId);
};

/** An access token for the viewer's session, whose address `email` must be. */
export const renewAccessToken = async (db: Db, config: Config, viewer: Viewer, email: string): Promise<string> => {
  const user = requireSignedIn(viewer);
  requireOwnAddress(email, user);
  return issueAccessToken(db, config, user);
};

/** Ends a user's sessions, all or all but one, with their access tokens; answers how many. */
export const endSessionsOf = (trx: Trx, userId: string, options: { except?: string } = {}): Promise<number> =>
  deleteOtherSessions(trx, userId, options.except ?? null);

/** Drops sessions, links, challenges, devices and counters that no longer mean anything; to be run now and then. */
export const sweepIdentity = async (db: Db): Promise<void> => {
  await deleteDeadSessions(db);
  await deleteOldLinks(db);
  await deleteOldAttempts(db);
  await deleteOldChallenges(db);
  await deleteOldFlows(db);
  await deleteForgottenDevices(db);
};
