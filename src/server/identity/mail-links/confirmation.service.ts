import { MOST_LINKS_AN_HOUR } from '#contract/users/mail-links.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { AppError } from '#server/platform/errors.ts';
import { requireSignedIn, type Viewer } from '#server/platform/viewer.ts';
import { linkIsOver, newAccountLink } from './account-links.ts';
import { markProven, selectLink, takeLink } from './account-links.queries.ts';
import { takeAttempt, type AttemptLimit } from '#server/identity/passwords/attempts.queries.ts';
import { hashOfToken, isToken } from '#server/identity/random-token.ts';
import type { User } from '#server/identity/users/users.queries.ts';

const CONFIRMATIONS: AttemptLimit = {
  kind: 'confirmation mail',
  attempts: MOST_LINKS_AN_HOUR,
  windowSeconds: 60 * 60,
  windowFrom: 'first',
};

/**
 * Welcomes a user who just made their account; where nobody has vouched for the address yet, with the link that proves
 * it.
 */
export const welcomeUser = async (trx: Trx, user: User): Promise<void> => {
  const link = user.emailProvenAt === null ? await newAccountLink(trx, 'confirm', user) : undefined;
  await queueMail(trx, {
    kind: 'welcome',
    key: `welcome:${user.id}`,
    to: { email: user.email, name: user.name },
    data: { confirmToken: link?.token ?? null },
  });
};

/**
 * Mails the viewer another link that proves their address; false where it is proven already. 429 after several in an
 * hour.
 */
export const sendConfirmationAgain = async (db: Db, viewer: Viewer): Promise<boolean> => {
  const user = requireSignedIn(viewer);
  if (user.emailProvenAt !== null) return false;
  const attempt = await takeAttempt(db, CONFIRMATIONS, user.userId);
  if (!attempt.allowed) {
    throw new AppError(
      'too_many',
      'Several links are on their way to you already; please look for them first',
      attempt,
    );
  }
  return db.transaction().execute(async (trx) => {
    const link = await newAccountLink(trx, 'confirm', { id: user.userId, email: user.email });
    await queueMail(trx, {
      kind: 'confirm-again',
      key: `confirm-again:${link.key}`,
      to: { email: user.email, name: user.name },
      data: { confirmToken: link.token },
    });
    return true;
  });
};

/** Proves the address a link was sent to. Opening it again is fine once it did; 410 for any other link that is over. */
export const confirmAddress = async (db: Db, token: string): Promise<void> => {
  const tokenHash = hashOfToken(token);
  const link = isToken(token) ? await selectLink(db, tokenHash, 'confirm') : undefined;
  if (link === undefined) throw linkIsOver();
  if (link.isProven) return;
  if (!link.isOpen) throw linkIsOver();
  await db.transaction().execute(async (trx) => {
    // Whoever was quicker with the same link has proven the same.
    if (await takeLink(trx, tokenHash)) await markProven(trx, link.userId);
  });
};
