import type { Account, AccountSession } from '#contract/account.ts';
import { NAME_MESSAGE } from '#contract/identity-rules.ts';
import { isImageUrl } from '#contract/listing-rules.ts';
import { isVisible, oneLine } from '#contract/text.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/db.ts';
import { badFields, notFound, Refusal, unauthenticated } from '#server/platform/errors.ts';
import { requireSignedIn, type SignedIn, type Viewer } from '#server/platform/viewer.ts';
import { endLinks } from './account-links.queries.ts';
import { selectGuards, updatePassword, updateProfile } from './account.queries.ts';
import { deviceWords } from './device-words.ts';
import { requireFreshSignIn } from './fresh-sign-in.policy.ts';
import { provePassword } from './identity.service.ts';
import { hashPassword, withHashingRoom } from './password-hash.ts';
import { newPasswordProblem } from './password.policy.ts';
import { listPasskeyRows } from './passkeys.queries.ts';
import { newToken } from './random-token.ts';
import { countRecoveryCodes } from './recovery-codes.queries.ts';
import { deleteOtherSessions, deleteSessionOf, listSessionRows } from './sessions.queries.ts';
import { endSessionsOf } from './sessions.service.ts';
import { selectPersonById } from './users.queries.ts';

/** The viewer's account: profile and what guards it. */
export const readAccount = async (db: Db, viewer: Viewer): Promise<Account> => {
  const { userId, secondFactor } = requireSignedIn(viewer);
  const [person, guards, passkeys, recoveryCodesLeft] = await Promise.all([
    selectPersonById(db, userId),
    selectGuards(db, userId),
    listPasskeyRows(db, userId),
    countRecoveryCodes(db, userId),
  ]);
  if (person === undefined || guards === undefined) throw unauthenticated();
  return {
    name: person.name,
    email: person.email,
    emailProven: person.emailProvenAt !== null,
    photoURL: person.photoUrl,
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

/** Changes name and picture; what is absent stays. 400 with `fields` for a name without a visible letter or a picture that is not https. */
export const editAccount = async (
  db: Db,
  viewer: Viewer,
  input: { name?: string | undefined; photoURL?: string | undefined },
): Promise<number> => {
  const { userId } = requireSignedIn(viewer);
  const name = input.name === undefined ? undefined : oneLine(input.name);
  const photoUrl = input.photoURL?.trim();
  if (name !== undefined && !isVisible(name)) throw badFields({ name: NAME_MESSAGE });
  if (photoUrl !== undefined && photoUrl !== '' && !isImageUrl(photoUrl)) {
    throw badFields({ photoURL: 'Give the https address of a picture, or nothing' });
  }
  if (name === undefined && photoUrl === undefined) return 0;
  await updateProfile(db, userId, { name, photoUrl });
  return 1;
};

/** The password the person has, shown in the same request: wrong is 400 beside its field, too many 429. */
const requireCurrent = async (db: Db, person: SignedIn, current: string | undefined): Promise<void> => {
  if (current === undefined) throw badFields({ current: 'Give your current password' });
  await provePassword(db, person.email, current).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.code !== 'wrong_credentials') throw error;
    throw badFields({ current: 'This is not your current password' });
  });
};

/**
 * Changes the viewer's password, or gives one to somebody who came by another way in. Ends their other sessions unless they
 * say otherwise, and tells them by mail.
 */
export const changePassword = async (
  db: Db,
  config: Config,
  viewer: Viewer,
  input: { current?: string | undefined; password: string; endOthers?: boolean | undefined },
): Promise<void> => {
  const person = requireFreshSignIn(viewer);
  const weakness = newPasswordProblem(config.passwordProfile, input.password, person);
  if (weakness !== undefined) throw badFields({ password: weakness });
  const guards = await selectGuards(db, person.userId);
  if (guards === undefined) throw unauthenticated();
  if (guards.hasPassword) await requireCurrent(db, person, input.current);
  const hash = await withHashingRoom(() => hashPassword(input.password));
  await db.transaction().execute(async (trx) => {
    if (!(await updatePassword(trx, person.userId, { hash, had: guards.hasPassword }))) throw unauthenticated();
    // A link that was sent before must not undo it.
    await endLinks(trx, person.userId, 'reset');
    if (input.endOthers !== false) await endSessionsOf(trx, person.userId, { except: person.sessionId });
    await queueMail(trx, {
      kind: 'password-changed',
      key: `password-changed:${newToken()}`,
      to: { email: person.email, name: person.name },
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
