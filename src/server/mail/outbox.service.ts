import { oneLine } from '#contract/text.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import type { Mail, MailKind, Recipient } from './mails.ts';
import { eraseRecipient, insertDigest, insertMail, insertMailWithin, lockSentLately } from './outbox.queries.ts';

export type { Mail, MailData, MailKind, Recipient } from './mails.ts';

/** One address and nothing beside it: what would begin another header, another address or a comment is refused. */
const ADDRESS = /^[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u;
const MAX_NAME_LENGTH = 200;

/** Mails of these kinds that one address gets at most, whoever causes them. */
const MOST_AN_HOUR = 10;
const MOST_A_DAY = 30;
/** News of sign-ins and passwords told one by one in an hour; more of it is one mail. */
const MOST_NEWS_AN_HOUR = 3;

/** Somebody else asks for these in another's name. The address need not be proven: they are how it is. */
const ASKED_FOR: readonly MailKind[] = ['welcome', 'confirm-again', 'reset'];
/** What guards an account; whoever knows its password causes them. */
const ACCOUNT_NEWS: readonly MailKind[] = ['new-sign-in', 'password-changed'];
/**
 * Whoever registered an address that is not theirs causes these by booking; to a proven address they are its owner's
 * own doing.
 */
const BOOKING_NEWS: readonly MailKind[] = ['booking-made', 'hold-lapsed', 'line-turn', 'line-over'];

const LIMITED_KINDS: readonly MailKind[] = [...ASKED_FOR, ...ACCOUNT_NEWS, ...BOOKING_NEWS];

/**
 * How a mail is limited by its recipient. What money or an admin did is told in any case: receipts, refunds, sales,
 * disputes, removals.
 */
type MailLimit = 'none' | 'asked for' | 'account news' | 'booking news';

const limitOfKind = (kind: MailKind): MailLimit => {
  if (ASKED_FOR.includes(kind)) return 'asked for';
  if (ACCOUNT_NEWS.includes(kind)) return 'account news';
  return BOOKING_NEWS.includes(kind) ? 'booking news' : 'none';
};

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
