import { oneLine } from '#contract/text.ts';
import { addNotice } from '#server/notices/notices.service.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { together } from '#server/platform/postgres/query.ts';
import { letterOf } from './letters.ts';
import type { Mail, MailKind, Recipient } from './mails.ts';
import { eraseRecipient, insertDigest, insertMail, insertMailWithin, lockSentLately } from './outbox.queries.ts';
import { TOPIC_OF } from './topics.ts';

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
const BOOKING_NEWS: readonly MailKind[] = ['booking-made', 'hold-lapsed', 'line-turn', 'line-over', 'want-offer'];

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

/** What the bell says of it: the mail's subject, and where its button leads. Times are in its mail and on its page. */
const noticeOf = (mail: Mail) => {
  const letter = letterOf(mail.kind, mail.data as never, (path) => path, 'UTC');
  return { title: letter.subject, path: letter.action?.href ?? '' };
};

const putIntoOutbox = async (trx: Trx, mail: Mail): Promise<void> => {
  const { email, name } = addressed(mail.to);
  const topic = TOPIC_OF[mail.kind];
  const row = { key: mail.key, kind: mail.kind, email, name, data: JSON.stringify(mail.data), topic };
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

/**
 * Tells somebody what happened, in the transaction of the event: all of it lasts or nothing. It stands in their bell,
 * and a mail is put into the outbox unless they chose not to have such mails; the mail leaves soon after the commit.
 * The same key again does nothing. Of kinds that somebody else can cause an address gets a few mails: what is too many
 * is let go, or told as one. A link to a new password is sent in each hour in any case, as it may be its owner's only
 * way in.
 */
export const queueMail = async (trx: Trx, mail: Mail): Promise<void> => {
  const topic = TOPIC_OF[mail.kind];
  if (topic === null) return putIntoOutbox(trx, mail);
  await together(
    trx,
    async () => putIntoOutbox(trx, mail),
    async () => addNotice(trx, { email: mail.to.email, key: mail.key, topic, ...noticeOf(mail) }),
  );
};

/** For somebody who leaves: what has not left yet is not sent, and that they ever got mail is forgotten. */
export const forgetMailTo = async (trx: Trx, email: string): Promise<void> => {
  await eraseRecipient(trx, email);
};
