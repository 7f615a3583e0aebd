import { EMAIL_MESSAGE, isEmail } from '#contract/users/identity-rules.ts';
import type { SessionUser } from '#contract/users/identity.ts';
import { MOST_LINKS_AN_HOUR, RESET_LINK_MINUTES } from '#contract/users/mail-links.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { badFields, AppError } from '#server/platform/errors.ts';
import { linkIsOver, newAccountLink } from '#server/identity/mail-links/account-links.ts';
import { endLinks, markProven, selectOpenLink, takeLink } from '#server/identity/mail-links/account-links.queries.ts';
import { forgetAttempts, takeAttempt, type AttemptLimit } from './attempts.queries.ts';
import { networkOf } from '#server/identity/sessions/client-network.ts';
import { takeByNetwork } from './network-limits.ts';
import { hashPassword, withHashingRoom } from './password-hash.ts';
import { newPasswordProblem } from './password.policy.ts';
import { hashOfToken, isToken } from '#server/identity/random-token.ts';
import { insertResetRequest, setPassword, takeResetRequest } from './reset.queries.ts';
import {
  endSessionsOf,
  sessionUserOf,
  startSession,
  type SigningIn,
  type StartedSession,
} from '#server/identity/sessions/sessions.service.ts';
import { selectUserByEmail, selectUserById } from '#server/identity/users/users.queries.ts';
import { wrongPasswordCounters } from './wrong-passwords.ts';

/** What one network may ask for, whatever the addresses; a demo is for trying, also by scripts. */
const networkLimit = (mode: Config['mode']): AttemptLimit => ({
  kind: 'forgot, by network',
  attempts: mode === 'production' ? 20 : 10_000,
  windowSeconds: 60 * 60,
  windowFrom: 'first',
});

/** Mails one address gets, so that nobody fills somebody's mailbox by this form. */
const ADDRESS_LIMIT: AttemptLimit = {
  kind: 'forgot, by address',
  attempts: MOST_LINKS_AN_HOUR,
  // A link lives as long: while the count is full, one that was sent is still good.
  windowSeconds: RESET_LINK_MINUTES * 60,
  windowFrom: 'first',
};

/**
 * Notes that somebody wants a new password. Whether there is such an account is looked up later, by
 * `answerResetRequests`: here nothing depends on it, so neither answer nor time tell. 429 when a network asks too
 * often; what an address is asked for too often is let go in silence.
 */
export const requestReset = async (db: Db, config: Config, input: { email: string; ip: string }): Promise<void> => {
  if (!isEmail(input.email)) throw badFields({ email: EMAIL_MESSAGE });
  const attempt = await takeByNetwork(db, networkLimit(config.mode), input.ip);
  if (!attempt.allowed) {
    throw new AppError('too_many', 'Many links were asked for from your network; please try again later', attempt);
  }
  const { allowed } = await takeAttempt(db, ADDRESS_LIMIT, input.email.toLowerCase());
  if (allowed) await insertResetRequest(db, input.email);
};

const answerOne = async (trx: Trx): Promise<boolean> => {
  const email = await takeResetRequest(trx);
  if (email === undefined) return false;
  const user = await selectUserByEmail(trx, email);
  if (user === undefined) return true;
  const link = await newAccountLink(trx, 'reset', user);
  await queueMail(trx, {
    kind: 'reset',
    key: `reset:${link.key}`,
    to: { email: user.email, name: user.name },
    data: { resetToken: link.token },
  });
  return true;
};

/** Mails a link to everybody with an account who asked for a new password; to be run all the time. */
export const answerResetRequests = async (db: Db): Promise<void> => {
  while (await db.transaction().execute(answerOne));
};

interface Reset {
  readonly email: string;
  /** The user with their new session; an admin has none and signs in as always. */
  readonly signedIn: { readonly user: SessionUser; readonly session: StartedSession } | undefined;
}

/**
 * Sets a new password by the link of a mail, once: 410 when it is over. All sessions end, other such links too, and the
 * address is proven. The counters of wrong passwords and of links start anew and a session is started, so that whoever
 * owns the mailbox gets in while somebody else keeps guessing; but not for an admin, whose second factor this must not
 * go around.
 */
export const resetPassword = async (
  db: Db,
  config: Config,
  input: { token: string; password: string; ip: string } & Omit<SigningIn, 'user' | 'way'>,
): Promise<Reset> => {
  const tokenHash = hashOfToken(input.token);
  const owner = isToken(input.token) ? await selectOpenLink(db, tokenHash, 'reset') : undefined;
  if (owner === undefined) throw linkIsOver();
  const weakness = newPasswordProblem(config.passwordProfile, input.password, owner);
  if (weakness !== undefined) throw badFields({ password: weakness });
  const passwordHash = await withHashingRoom({ network: networkOf(input.ip), mode: config.mode }, () =>
    hashPassword(input.password),
  );
  return db.transaction().execute(async (trx) => {
    // The user's row first: two links of one user then take turns instead of waiting for each other.
    if (!(await setPassword(trx, owner.userId, passwordHash))) throw linkIsOver();
    if (!(await takeLink(trx, tokenHash))) throw linkIsOver();
    await markProven(trx, owner.userId);
    await endLinks(trx, owner.userId, 'reset');
    await endSessionsOf(trx, owner.userId);
    for (const { limit, subject } of wrongPasswordCounters(owner.email, input.device)) {
      await forgetAttempts(trx, limit, subject);
    }
    await forgetAttempts(trx, ADDRESS_LIMIT, owner.email.toLowerCase());
    await queueMail(trx, {
      kind: 'password-changed',
      key: `password-changed:${tokenHash.toString('hex')}`,
      to: { email: owner.email, name: owner.name },
      data: { at: new Date().toISOString() },
    });
    const user = await selectUserById(trx, owner.userId);
    if (user === undefined || user.isAdmin) return { email: owner.email, signedIn: undefined };
    const session = await startSession(trx, config, { ...input, user, way: { kind: 'link' } });
    return { email: owner.email, signedIn: { user: sessionUserOf(user), session } };
  });
};
