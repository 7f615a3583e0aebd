import type { PasskeyOptions, PasskeyProof } from '#contract/users/passkey-shapes.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { badFields, AppError, unauthenticated } from '#server/platform/errors.ts';
import { adminRefusal, requireSignedIn, type SignedIn, type Viewer } from '#server/platform/viewer.ts';
import { selectGuards } from '#server/identity/users/account.queries.ts';
import { forgetAttempts, takeAttempt, type AttemptLimit } from '#server/identity/passwords/attempts.queries.ts';
import type { Browser } from '#server/identity/users/account.service.ts';
import { provePassword, type Claim } from './identity.service.ts';
import { checkPasskey, optionsToUse, unknownPasskey } from '#server/identity/passkeys/passkey-proof.ts';
import { newToken } from '#server/identity/random-token.ts';
import { useRecoveryCode } from '#server/identity/passkeys/recovery-codes.ts';
import { requireFreshSignIn } from './fresh-sign-in.policy.ts';
import { renewSession } from './sessions.queries.ts';
import type { StartedSession } from './sessions.service.ts';
import { holdWayIn, type WayIn } from './ways-in.service.ts';

/** Nobody guesses one; whoever tries may as well be told to stop. */
const WRONG_RECOVERY_CODES: AttemptLimit = {
  kind: 'wrong recovery code',
  attempts: 10,
  windowSeconds: 15 * 60,
  windowFrom: 'last',
};

/** What somebody who is signed in shows to prove that it is still them. */
export interface Proof {
  readonly password?: string | undefined;
  readonly passkey?: PasskeyProof | undefined;
  readonly recoveryCode?: string | undefined;
}

const wrong = (field: keyof Proof, message: string): AppError =>
  new AppError('wrong_credentials', message, { fields: { [field]: message } });

/** What the browser needs to confirm with a passkey of the viewer. */
export const beginReauthentication = async (db: Db, config: Config, viewer: Viewer): Promise<PasskeyOptions> => {
  const { userId, sessionId } = requireSignedIn(viewer);
  return optionsToUse(db, config, { purpose: 'again', sessionId }, userId);
};

/**
 * Counts the session as freshly signed in from now on, under another token: the old cookie is worth nothing any more.
 * For whoever has just proved, in the same request and by `way`, that the session's user is there. The session lasts no
 * longer by it.
 */
export const renewSignIn = async (
  trx: Trx,
  { userId, sessionId }: Pick<SignedIn, 'userId' | 'sessionId'>,
  way: WayIn,
): Promise<StartedSession> => {
  await holdWayIn(trx, userId, way);
  const token = newToken();
  const secondFactor = way.kind === 'passkey' || way.kind === 'recovery code';
  const maxAgeSeconds = await renewSession(trx, { id: sessionId, token, secondFactor });
  if (maxAgeSeconds === undefined) throw unauthenticated();
  return { token, maxAgeSeconds };
};

const byPassword = async (
  db: Db,
  config: Config,
  user: SignedIn,
  claim: Omit<Claim, 'email'>,
): Promise<StartedSession> => {
  const { passwordHash } = await provePassword(db, config, { ...claim, email: user.email }).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'wrong_credentials') throw error;
    throw wrong('password', 'This is not your password');
  });
  return db.transaction().execute((trx) => renewSignIn(trx, user, { kind: 'password', passwordHash }));
};

const byPasskey = async (db: Db, config: Config, user: SignedIn, proof: PasskeyProof): Promise<StartedSession> => {
  const { passkey, counter } = await checkPasskey(db, config, proof, { purpose: 'again', sessionId: user.sessionId });
  if (passkey.userId !== user.userId) throw unknownPasskey();
  return db.transaction().execute((trx) => renewSignIn(trx, user, { kind: 'passkey', id: passkey.id, counter }));
};

const byRecoveryCode = async (db: Db, user: SignedIn, typed: string): Promise<StartedSession> => {
  const attempt = await takeAttempt(db, WRONG_RECOVERY_CODES, user.userId);
  if (!attempt.allowed) throw new AppError('too_many', 'Too many wrong codes; please try again later', attempt);
  return db.transaction().execute(async (trx) => {
    // The user's row first, as everybody locks it who takes codes away.
    await holdWayIn(trx, user.userId, { kind: 'recovery code' });
    if (!(await useRecoveryCode(trx, user.userId, typed))) {
      throw wrong('recoveryCode', 'This is none of your recovery codes, or it was used before');
    }
    await forgetAttempts(trx, WRONG_RECOVERY_CODES, user.userId);
    return renewSignIn(trx, user, { kind: 'recovery code' });
  });
};

/**
 * Takes one proof that the viewer is who they are and answers the session's new cookie; what is wrong is 401 with
 * `fields`.
 */
export const reauthenticate = async (
  db: Db,
  config: Config,
  viewer: Viewer,
  proof: Proof & Browser,
): Promise<StartedSession> => {
  const user = requireSignedIn(viewer);
  const { password, passkey, recoveryCode, ip, device } = proof;
  const given = [password, passkey, recoveryCode].filter((one) => one !== undefined).length;
  if (given !== 1) throw badFields({ password: 'Give your password, a passkey or a recovery code' });
  if (passkey !== undefined) return byPasskey(db, config, user, passkey);
  if (recoveryCode !== undefined) return byRecoveryCode(db, user, recoveryCode);
  return byPassword(db, config, user, { password: password ?? '', ip, device });
};

/**
 * The viewer, if they prove in this very request that they are who they are: who has a password by it, 400 beside its
 * field where it is missing or wrong and 429 after too many; others by a sign-in of the last 15 minutes. For what
 * somebody with a stolen session must not change. An admin of a production shop shows the second factor as well.
 */
export const requireProof = async (
  db: Db,
  config: Config,
  viewer: Viewer,
  proof: { password?: string | undefined } & Browser,
): Promise<SignedIn> => {
  const user = requireSignedIn(viewer);
  const guards = await selectGuards(db, user.userId);
  if (guards === undefined) throw unauthenticated();
  if (!guards.hasPassword) return requireFreshSignIn(viewer);
  if (user.secondFactor === 'to be shown') throw adminRefusal(user);
  const { password, ip, device } = proof;
  if (password === undefined || password === '') throw badFields({ password: 'Give your password' });
  await provePassword(db, config, { email: user.email, password, ip, device }).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'wrong_credentials') throw error;
    throw badFields({ password: 'This is not your password' });
  });
  return user;
};
