import { EMAIL_MESSAGE, isEmail, signUpProblems } from '#contract/users/identity-rules.ts';
import type { Role, SessionUser } from '#contract/users/identity.ts';
import { oneLine } from '#contract/text.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { badFields, AppError } from '#server/platform/errors.ts';
import { acceptTerms } from '#server/law/declaring.service.ts';
import { requireOwnAddress, requireSignedIn, type Viewer } from '#server/platform/viewer.ts';
import { forgetAttempts, takeAttempt, type AttemptLimit } from '#server/identity/passwords/attempts.queries.ts';
import { networkOf } from './client-network.ts';
import { takeByNetwork } from '#server/identity/passwords/network-limits.ts';
import { welcomeUser } from '#server/identity/mail-links/confirmation.service.ts';
import { hashPassword, isPassword, withHashingRoom } from '#server/identity/passwords/password-hash.ts';
import { newPasswordProblem } from '#server/identity/passwords/password.policy.ts';
import { sessionUserOf, startSession, type StartedSession } from './sessions.service.ts';
import { createKeyedMutex } from '#server/identity/passwords/keyed-mutex.ts';
import { wrongPasswordsOf } from '#server/identity/passwords/wrong-passwords.ts';
import {
  insertUser,
  selectForSignIn,
  selectUserByEmail,
  selectUserById,
  updateName,
  type User,
} from '#server/identity/users/users.queries.ts';
import { wrongCredentials } from './ways-in.service.ts';

export type { User } from '#server/identity/users/users.queries.ts';

/** Bounds how fast one network can ask which addresses have an account; a demo is for trying, also by scripts. */
const signUpLimit = (mode: Config['mode']): AttemptLimit => ({
  kind: 'sign-up',
  attempts: mode === 'production' ? 20 : 10_000,
  windowSeconds: 60 * 60,
  windowFrom: 'first',
});

const takenAddress = (): AppError =>
  new AppError('email_taken', 'The email address is already in use by another account.');

/** What comes with a form from the browser. */
interface Sender {
  readonly ip: string;
  readonly userAgent: string;
  /** The session token the browser still sent: ended when a new session starts. */
  readonly replaces: string | undefined;
  /** The token of the browser's long-lived cookie. */
  readonly device?: string | undefined;
}

interface SignedUp {
  readonly user: SessionUser;
  readonly session: StartedSession;
}

/**
 * Makes an account with a password, welcomes its owner by mail and signs it in; 400 with `fields`, 409 for a taken
 * address, 429 for too many.
 */
export const signUpUser = async (
  db: Db,
  config: Config,
  input: { name: string; email: string; password: string } & Sender,
): Promise<SignedUp> => {
  const form = { name: oneLine(input.name), email: input.email, password: input.password };
  const { password: _classic, ...problems } = signUpProblems(form);
  const weakness = newPasswordProblem(config.passwordProfile, form.password, form);
  if (weakness !== undefined) problems.password = weakness;
  if (Object.keys(problems).length > 0) throw badFields(problems);
  const hasher = { network: networkOf(input.ip), mode: config.mode };
  const passwordHash = await withHashingRoom(hasher, async () => {
    const attempt = await takeByNetwork(db, signUpLimit(config.mode), input.ip);
    if (attempt.allowed) return hashPassword(form.password);
    throw new AppError('too_many', 'Many accounts were made from your network; please try again later', attempt);
  });
  return db.transaction().execute(async (trx) => {
    const newcomer = { roles: [], verified: false, emailProven: false };
    const user = await insertUser(trx, { ...newcomer, email: form.email, name: form.name, passwordHash });
    if (user === undefined) throw takenAddress();
    await acceptTerms(trx, user.id, 'buyer');
    await welcomeUser(trx, user);
    return {
      user: sessionUserOf(user),
      session: await startSession(trx, config, { ...input, user, way: { kind: 'new' } }),
    };
  });
};

/**
 * Checks of one account that wait for their turn: nobody has more windows open, and hundreds would keep others from
 * theirs.
 */
const MOST_WAITING = 2;

/**
 * In this process one password of an account is checked at a time, so that many right ones at once never fill the
 * count.
 */
const oneAtATime = createKeyedMutex(
  MOST_WAITING,
  () =>
    new AppError('too_many', 'Your password is being checked already; please wait a moment', { retryAfterSeconds: 5 }),
);

/**
 * Somebody whose password was right: with the hash it was compared to, as another may be set before it is made use of.
 */
export type Proven = User & { readonly passwordHash: string };

/** A password as it was sent, and where from. */
export interface Claim {
  readonly email: string;
  readonly password: string;
  readonly ip: string;
  /** The token of the browser's long-lived cookie. */
  readonly device?: string | undefined;
}

/**
 * The user whose password this is; else 401 as of a sign-in, or 429 after ten wrong ones, which a browser that they
 * have signed in with counts by itself. The turn comes before the room: however many one account asks for, it holds one
 * place there.
 */
export const provePassword = async (db: Db, config: Config, claim: Claim): Promise<Proven> => {
  const { limit, subject } = await wrongPasswordsOf(db, claim.email, claim.device);
  const check = async (): Promise<Proven> => {
    // Counted before it is checked: however many come at once, no more than the limit are ever tried.
    const attempt = await takeAttempt(db, limit, subject);
    if (!attempt.allowed) {
      throw new AppError('too_many', 'Too many wrong passwords for this account; please try again later', attempt);
    }
    const found = await selectForSignIn(db, claim.email);
    const isRight = await isPassword(claim.password, found?.passwordHash ?? null);
    if (found?.passwordHash == null || !isRight) throw wrongCredentials();
    await forgetAttempts(db, limit, subject);
    return { ...found, passwordHash: found.passwordHash };
  };
  const hasher = { network: networkOf(claim.ip), mode: config.mode };
  return oneAtATime(subject, () => withHashingRoom(hasher, check));
};

/** Signs in by password; a wrong address and a wrong password are one 401 and take the same time; 429 after ten. */
export const signInUser = async (
  db: Db,
  config: Config,
  input: { email: string; password: string } & Sender,
): Promise<SignedUp> => {
  if (!isEmail(input.email)) throw badFields({ email: EMAIL_MESSAGE });
  const user = await provePassword(db, config, input);
  const way = { kind: 'password', passwordHash: user.passwordHash } as const;
  const session = await db.transaction().execute((trx) => startSession(trx, config, { ...input, user, way }));
  return { user: sessionUserOf(user), session };
};

/** Takes the name of the viewer, whose address `email` must be; an empty one keeps the old. Answers the user's id. */
export const saveProfile = async (db: Db, viewer: Viewer, input: { name: string; email: string }): Promise<string> => {
  const user = requireSignedIn(viewer);
  requireOwnAddress(input.email, user);
  const name = oneLine(input.name);
  if (name !== '') await updateName(db, user.userId, name);
  return user.userId;
};

/**
 * Makes an account without the rules of the form, for the demo shop and whoever runs the shop; answers its id.
 * Without a password nobody can sign in to it.
 */
export const registerUser = async (
  db: Db,
  input: {
    email: string;
    name: string;
    password?: string;
    roles?: readonly Role[];
    verified?: boolean;
    emailProven?: boolean;
  },
): Promise<string> => {
  const user = await insertUser(db, {
    email: input.email,
    name: input.name,
    passwordHash: input.password === undefined ? null : await hashPassword(input.password),
    roles: input.roles ?? [],
    verified: input.verified ?? false,
    emailProven: input.emailProven ?? false,
  });
  if (user === undefined) throw takenAddress();
  return user.id;
};

/** The user with this id; undefined when they are deleted. */
export const findUserById = (db: Db, id: string): Promise<User | undefined> => selectUserById(db, id);

/** The user with this address, whatever its case. */
export const findUserByEmail = (db: Db, email: string): Promise<User | undefined> => selectUserByEmail(db, email);
