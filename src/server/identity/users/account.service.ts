import type { Account, AccountSession } from '#contract/users/account.ts';
import { NAME_MESSAGE } from '#contract/users/identity-rules.ts';
import { isImageUrl } from '#contract/catalog/listing-rules.ts';
import { isVisible, oneLine } from '#contract/text.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import { isTimeZone } from '#contract/time.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { badFields, notFound, AppError, unauthenticated } from '#server/platform/errors.ts';
import { requireSignedIn, type SignedIn, type Viewer } from '#server/platform/viewer.ts';
import { endLinks } from '#server/identity/mail-links/account-links.queries.ts';
import { selectGuards, updatePassword, updateProfile } from './account.queries.ts';
import { networkOf } from '#server/identity/sessions/client-network.ts';
import { deviceWords } from '#server/identity/sessions/device-words.ts';
import { requireFreshSignIn } from '#server/identity/sessions/fresh-sign-in.policy.ts';
import { provePassword } from '#server/identity/sessions/identity.service.ts';
import { hashPassword, withHashingRoom } from '#server/identity/passwords/password-hash.ts';
import { newPasswordProblem } from '#server/identity/passwords/password.policy.ts';
import { listPasskeyRows } from '#server/identity/passkeys/passkeys.queries.ts';
import { newToken } from '#server/identity/random-token.ts';
import { countRecoveryCodes } from '#server/identity/passkeys/recovery-codes.queries.ts';
import {
  deleteOtherSessions,
  deleteSessionOf,
  isSessionThere,
  listSessionRows,
} from '#server/identity/sessions/sessions.queries.ts';
import { endSessionsOf } from '#server/identity/sessions/sessions.service.ts';
import { selectUserById } from './users.queries.ts';

/** The viewer's account: profile and what guards it. */
export const readAccount = async (db: Db, viewer: Viewer): Promise<Account> => {
  const { userId, secondFactor } = requireSignedIn(viewer);
  const [user, guards, passkeys, recoveryCodesLeft] = await Promise.all([
    selectUserById(db, userId),
    selectGuards(db, userId),
    listPasskeyRows(db, userId),
    countRecoveryCodes(db, userId),
  ]);
  if (user === undefined || guards === undefined) throw unauthenticated();
  return {
    name: user.name,
    email: user.email,
    emailProven: user.emailProvenAt !== null,
    photoURL: user.photoUrl,
    hasPassword: guards.hasPassword,
    passkeys: passkeys.map(({ id, name, createdAt, usedAt }) => ({
      _id: id,
      name,
      addedAt: createdAt.toISOString(),
      lastUsedAt: usedAt?.toISOString() ?? null,
    })),
    recoveryCodesLeft,
    secondFactor,
  };
};

/**
 * What a user is to be shown by whose picture is at this address: the name of a photo of theirs, or the address where
 * it is fetched later. 400 with a sentence at `photoURL` where no picture is to be had.
 */
export type TakePortrait = (userId: string, address: string) => Promise<string>;

/** What to store of a typed picture; undefined where nothing was typed, or the picture that is shown already. */
const portraitMeant = async (
  db: Db,
  userId: string,
  typed: string | undefined,
  take: TakePortrait,
): Promise<string | undefined> => {
  const address = typed?.trim();
  if (address === undefined || address === '') return address;
  if (address === (await selectUserById(db, userId))?.photoUrl) return undefined;
  if (!isImageUrl(address)) throw badFields({ photoURL: 'Give the https address of a picture, or nothing' });
  return take(userId, address);
};

/**
 * Changes name, picture and time zone; what is absent stays. A picture is fetched, once, and a photo of the shop from
 * then on. 400 with `fields` for a name without a visible letter, an address where no picture is to be had and a zone
 * that there is not.
 */
export const editAccount = async (
  db: Db,
  viewer: Viewer,
  input: { name?: string | undefined; photoURL?: string | undefined; timeZone?: string | undefined },
  takePortrait: TakePortrait,
): Promise<number> => {
  const { userId } = requireSignedIn(viewer);
  const name = input.name === undefined ? undefined : oneLine(input.name);
  if (name !== undefined && !isVisible(name)) throw badFields({ name: NAME_MESSAGE });
  const { timeZone } = input;
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    throw badFields({ timeZone: 'Give a name of the time zone database, such as Europe/Berlin' });
  }
  const photoUrl = await portraitMeant(db, userId, input.photoURL, takePortrait);
  if (name === undefined && photoUrl === undefined && timeZone === undefined) return 0;
  await updateProfile(db, userId, { name, photoUrl, timeZone });
  return 1;
};

/** Where a password comes from. */
export interface Browser {
  readonly ip: string;
  /** The token of its long-lived cookie. */
  readonly device?: string | undefined;
}

/** The hash of the password the user has, shown in the same request: wrong is 400 beside its field, too many 429. */
const requireCurrent = async (
  db: Db,
  config: Config,
  user: SignedIn,
  input: { current?: string | undefined } & Browser,
): Promise<string> => {
  const { current, ip, device } = input;
  if (current === undefined) throw badFields({ current: 'Give your current password' });
  const proven = await provePassword(db, config, { email: user.email, password: current, ip, device }).catch(
    (error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'wrong_credentials') throw error;
      throw badFields({ current: 'This is not your current password' });
    },
  );
  return proven.passwordHash;
};

/**
 * Changes the viewer's password, or gives one to somebody who came by another way in. Ends their other sessions unless
 * they say otherwise, and tells them by mail.
 */
export const changePassword = async (
  db: Db,
  config: Config,
  viewer: Viewer,
  input: { current?: string | undefined; password: string; endOthers?: boolean | undefined } & Browser,
): Promise<void> => {
  const user = requireFreshSignIn(viewer);
  const weakness = newPasswordProblem(config.passwordProfile, input.password, user);
  if (weakness !== undefined) throw badFields({ password: weakness });
  const guards = await selectGuards(db, user.userId);
  if (guards === undefined) throw unauthenticated();
  const had = guards.hasPassword ? await requireCurrent(db, config, user, input) : null;
  const hash = await withHashingRoom({ network: networkOf(input.ip), mode: config.mode }, () =>
    hashPassword(input.password),
  );
  await db.transaction().execute(async (trx) => {
    if (!(await updatePassword(trx, user.userId, { hash, had }))) throw unauthenticated();
    // The row is locked now: whoever ended this session, such as by a reset, has done so.
    if (!(await isSessionThere(trx, user.sessionId))) throw unauthenticated();
    // A link that was sent before must not undo it.
    await endLinks(trx, user.userId, 'reset');
    if (input.endOthers !== false) await endSessionsOf(trx, user.userId, { except: user.sessionId });
    await queueMail(trx, {
      kind: 'password-changed',
      key: `password-changed:${newToken()}`,
      to: { email: user.email, name: user.name },
      data: { at: new Date().toISOString() },
    });
  });
};

/** Where the viewer is signed in; never a token. */
export const listOwnSessions = async (db: Db, config: Config, viewer: Viewer): Promise<AccountSession[]> => {
  const { userId, sessionId } = requireSignedIn(viewer);
  const rows = await listSessionRows(db, config, userId);
  return rows.map(({ id, userAgent, createdAt, usedAt }) => ({
    _id: id,
    device: deviceWords(userAgent),
    current: id === sessionId,
    signedInAt: createdAt.toISOString(),
    lastUsedAt: usedAt.toISOString(),
  }));
};

/** Ends one of the viewer's sessions, this one too; another's is 404. */
export const endOwnSession = async (db: Db, viewer: Viewer, id: string): Promise<void> => {
  const { userId } = requireSignedIn(viewer);
  if (!(await deleteSessionOf(db, userId, id))) throw notFound();
};

/** Ends the viewer's sessions but this one; answers how many. */
export const endOtherSessions = async (db: Db, viewer: Viewer): Promise<number> => {
  const { userId, sessionId } = requireSignedIn(viewer);
  return deleteOtherSessions(db, userId, sessionId);
};
