import { oneLine } from '#contract/text.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import type { Mail, Recipient } from './mails.ts';
import { LIMITED_KINDS, limitOfKind, MOST_A_DAY, MOST_AN_HOUR, MOST_NEWS_AN_HOUR } from './mail-limits.ts';
import { eraseRecipient, insertDigest, insertMail, insertMailWithin, lockSentLately } from './outbox.queries.ts';

export type { Mail, MailData, MailKind, Recipient } from './mails.ts';

/** One address and nothing beside it: what would begin another header, another address or a comment is refused. */
const ADDRESS = /^[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u;
const MAX_NAME_LENGTH = 200;

const ALLOWANCE = { kinds: LIMITED_KINDS, anHour: MOST_AN_HOUR, aDay: MOST_A_DAY };

/** A recipient as the outbox takes them; throws where there is no address to go to. */
const addressed = ({ email, name }: Recipient): Recipient => {
  if (!ADDRESS.test(email)) throw new Error('a mail has no address to go to');
  return { email, name: oneLine(name).slice(0, MAX_NAME_LENGTH) };
};

/**
 * Puts a mail into the outbox, in the transaction of the event it tells of: both last or neither. The same key again
 * does nothing. The mail leaves soon after the commit. Of kinds that somebody else can cause an address gets a few:
 * what is too many is let go, or told as one. A link to a new password is sent in each hour in any case, as it may be
 * its owner's only way in.
 */
export const queueMail = async (trx: Trx, mail: Mail): Promise<void> => {
  const { email, name } = addressed(mail.to);
  const row = { key: mail.key, kind: mail.kind, email, name, data: JSON.stringify(mail.data) };
  const limit = limitOfKind(mail.kind);
  if (limit === 'none') return insertMail(trx, row);
  if (limit === 'booking news') return insertMailWithin(trx, row, ALLOWANCE);
  const lately = await lockSentLately(trx, email, ALLOWANCE);
  if (limit === 'account news') {
    // Whoever else has the address need not hear of an account that is not theirs.
    if (!lately.isProven) return;
    if (!lately.isFull && lately.newsLastHour < MOST_NEWS_AN_HOUR) return insertMail(trx, row);
    return insertDigest(trx, { kind: 'account-news', email, name, data: '{}' });
  }
  const isDue = mail.kind === 'reset' && lately.resetsLastHour === 0;
  if (!lately.isFull || isDue) await insertMail(trx, row);
};

/** For somebody who leaves: what has not left yet is not sent, and that they ever got mail is forgotten. */
export const forgetMailTo = async (trx: Trx, email: string): Promise<void> => {
  await eraseRecipient(trx, email);
};
