import { isVisible, oneLine } from '#contract/text.ts';
import type { SessionUser } from '#contract/users/identity.ts';
import type { NewPasskey, PasskeyOptions, PasskeyProof } from '#contract/users/passkey-shapes.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { badFields, forbidden, notFound, AppError, unauthenticated } from '#server/platform/errors.ts';
import { requireSignedIn, type SignedIn, type Viewer } from '#server/platform/viewer.ts';
import { takeAttempt, type AttemptLimit } from '#server/identity/passwords/attempts.queries.ts';
import { networkOf } from '#server/identity/sessions/client-network.ts';
import { requireFreshSignIn } from '#server/identity/sessions/fresh-sign-in.policy.ts';
import { checkNewPasskey, checkPasskey, optionsToAdd, optionsToUse } from './passkey-proof.ts';
import { deletePasskey, deletePasskeysOf, insertPasskey, updatePasskeyName } from './passkeys.queries.ts';
import { countRecoveryCodes, deleteRecoveryCodesOf } from './recovery-codes.queries.ts';
import { makeRecoveryCodes } from './recovery-codes.ts';
import { deleteSessionsBegunBy, noteSecondFactor } from '#server/identity/sessions/sessions.queries.ts';
import {
  endSessionsOf,
  sessionUserOf,
  startSession,
  type SigningIn,
  type StartedSession,
} from '#server/identity/sessions/sessions.service.ts';
import { selectUserById } from '#server/identity/users/users.queries.ts';
import { ownWaysIn, requireAnotherWayIn, wayInName, waysInOf } from '#server/identity/sessions/ways-in.service.ts';

/** More than anybody has devices; keeps a list short that is sent with every use. */
const MOST_PASSKEYS = 20;

/** Asking costs a row; nobody who signs in needs this many. A demo is for trying, also by scripts. */
const challengeLimit = (mode: Config['mode']): AttemptLimit => ({
  kind: 'passkey challenge',
  attempts: mode === 'production' ? 100 : 10_000,
  windowSeconds: 5 * 60,
  windowFrom: 'first',
});

const nameOf = (typed: string): string => {
  const name = oneLine(typed);
  if (!isVisible(name)) throw badFields({ name: 'Give the passkey a name' });
  return name;
};

/** Whoever registered an address that is not theirs must not keep a way in after its owner proved it. */
const requireProvenAddress = (user: SignedIn): void => {
  if (user.emailProvenAt === null) throw forbidden('Please confirm your email address first: a passkey stays with it');
};

/** What the browser needs to make a passkey for the viewer. */
export const beginPasskey = async (db: Db, config: Config, viewer: Viewer): Promise<PasskeyOptions> => {
  const user = requireFreshSignIn(viewer);
  requireProvenAddress(user);
  return optionsToAdd(db, config, user);
};

/**
 * Adds the passkey a browser made. It is the second factor of this session from now on; with the first one come ten
 * recovery codes, answered this once.
 */
export const addPasskey = async (
  db: Db,
  config: Config,
  viewer: Viewer,
  input: { name: string; passkey: NewPasskey },
): Promise<{ insertedId: string; recoveryCodes: string[] | null }> => {
  const user = requireFreshSignIn(viewer);
  requireProvenAddress(user);
  const name = nameOf(input.name);
  const made = await checkNewPasskey(db, config, input.passkey, user.sessionId);
  return db.transaction().execute(async (trx) => {
    const { passkeys } = await ownWaysIn(trx, user);
    if (passkeys >= MOST_PASSKEYS) throw forbidden(`${MOST_PASSKEYS} passkeys are the most: remove one first`);
    const insertedId = await insertPasskey(trx, { ...made, userId: user.userId, name });
    if (insertedId === undefined) throw new AppError('already_exists', 'This passkey is in use here already');
    await noteSecondFactor(trx, user.sessionId);
    const hasCodes = (await countRecoveryCodes(trx, user.userId)) > 0;
    return { insertedId, recoveryCodes: hasCodes ? null : await makeRecoveryCodes(trx, user.userId) };
  });
};

/** Names one of the viewer's passkeys; another's is 404. */
export const renamePasskey = async (db: Db, viewer: Viewer, input: { id: string; name: string }): Promise<void> => {
  const user = requireSignedIn(viewer);
  if (!(await updatePasskeyName(db, user.userId, input.id, nameOf(input.name)))) throw notFound();
};

/**
 * Removes one of the viewer's passkeys, and ends the other sessions that began by it; another's is 404, the last way in
 * 409, and so is the last one of an admin in production.
 */
export const removePasskey = async (db: Db, config: Config, viewer: Viewer, id: string): Promise<void> => {
  const user = requireFreshSignIn(viewer);
  await db.transaction().execute(async (trx) => {
    const { isAdmin, passkeys } = await ownWaysIn(trx, user);
    if (!(await deletePasskey(trx, user.userId, id))) throw notFound();
    if (config.mode === 'production' && isAdmin && passkeys === 1) {
      throw new AppError('last_way_in', 'Admins keep at least one passkey: add another one first');
    }
    await requireAnotherWayIn(trx, user.userId, { already: 'removed' });
    await deleteSessionsBegunBy(trx, user.userId, wayInName({ kind: 'passkey', id }), user.sessionId);
  });
};

/**
 * Takes away a user's passkeys and recovery codes and ends their sessions, for whoever runs the shop; answers how many
 * passkeys.
 */
export const dropPasskeys = async (trx: Trx, userId: string): Promise<number> => {
  const { passkeys } = await waysInOf(trx, userId);
  await deletePasskeysOf(trx, userId);
  await deleteRecoveryCodesOf(trx, userId);
  await endSessionsOf(trx, userId);
  return passkeys;
};

/** Gives the viewer ten new recovery codes in place of the old ones; they need a passkey to be codes of. */
export const renewRecoveryCodes = async (db: Db, viewer: Viewer): Promise<string[]> => {
  const user = requireFreshSignIn(viewer);
  return db.transaction().execute(async (trx) => {
    const { passkeys } = await ownWaysIn(trx, user);
    if (passkeys === 0) throw forbidden('Recovery codes stand in for a passkey: add one first');
    return makeRecoveryCodes(trx, user.userId);
  });
};

/** What the browser needs to sign in with a passkey; 429 for a network that asks without end. */
export const beginPasskeySignIn = async (db: Db, config: Config, ip: string): Promise<PasskeyOptions> => {
  const attempt = await takeAttempt(db, challengeLimit(config.mode), networkOf(ip));
  if (!attempt.allowed)
    throw new AppError('too_many', 'That was too often; please try again in a few minutes', attempt);
  return optionsToUse(db, config, { purpose: 'sign-in', sessionId: null });
};

/** Signs in the user whose passkey signed our challenge; it counts as two factors. Else one 401, whatever was wrong. */
export const signInByPasskey = async (
  db: Db,
  config: Config,
  input: { passkey: PasskeyProof } & Omit<SigningIn, 'user' | 'way'>,
): Promise<{ user: SessionUser; session: StartedSession }> => {
  const { passkey, counter } = await checkPasskey(db, config, input.passkey, { purpose: 'sign-in', sessionId: null });
  return db.transaction().execute(async (trx) => {
    const user = await selectUserById(trx, passkey.userId);
    if (user === undefined) throw unauthenticated();
    const { userAgent, replaces, device } = input;
    const way = { kind: 'passkey', id: passkey.id, counter } as const;
    const session = await startSession(trx, config, { user, way, userAgent, replaces, device });
    return { user: sessionUserOf(user), session };
  });
};
