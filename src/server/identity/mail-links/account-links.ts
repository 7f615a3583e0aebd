import { CONFIRM_LINK_DAYS, RESET_LINK_MINUTES } from '#contract/users/mail-links.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { AppError } from '#server/platform/errors.ts';
import { insertLink, type LinkPurpose } from './account-links.queries.ts';
import { hashOfToken, newToken } from '#server/identity/random-token.ts';

const LIFETIME_SECONDS: Readonly<Record<LinkPurpose, number>> = {
  reset: RESET_LINK_MINUTES * 60,
  confirm: CONFIRM_LINK_DAYS * 24 * 60 * 60,
};

/**
 * Makes a link that will prove something of whoever opens it. The token leaves in a mail and is stored as its hash
 * only.
 */
export const newAccountLink = async (
  trx: Trx,
  purpose: LinkPurpose,
  user: { id: string; email: string },
): Promise<{ token: string; key: string }> => {
  const token = newToken();
  const tokenHash = hashOfToken(token);
  const lifetimeSeconds = LIFETIME_SECONDS[purpose];
  await insertLink(trx, { tokenHash, purpose, userId: user.id, email: user.email, lifetimeSeconds });
  return { token, key: tokenHash.toString('hex') };
};

export const linkIsOver = (): AppError =>
  new AppError('link_over', 'This link does not work any more: it was used, or it is too old');
