import type { MailKind } from './mails.ts';

/** Mails of these kinds that one address gets at most, whoever causes them. */
export const MOST_AN_HOUR = 10;
export const MOST_A_DAY = 30;
/** News of sign-ins and passwords told one by one in an hour; more of it is one mail. */
export const MOST_NEWS_AN_HOUR = 3;

/** Somebody else asks for these in another's name. The address need not be proven: they are how it is. */
const ASKED_FOR: readonly MailKind[] = ['welcome', 'confirm-again', 'reset'];
/** What guards an account; whoever knows its password causes them. */
const ACCOUNT_NEWS: readonly MailKind[] = ['new-sign-in', 'password-changed'];
/**
 * Whoever registered an address that is not theirs causes these by booking; to a proven address they are its owner's
 * own doing.
 */
const BOOKING_NEWS: readonly MailKind[] = ['booking-made', 'hold-lapsed', 'line-turn', 'line-over'];

export const LIMITED_KINDS: readonly MailKind[] = [...ASKED_FOR, ...ACCOUNT_NEWS, ...BOOKING_NEWS];

/**
 * How a mail is limited by its recipient. What money or an admin did is told in any case: receipts, refunds, sales,
 * disputes, removals.
 */
export type MailLimit = 'none' | 'asked for' | 'account news' | 'booking news';

export const limitOfKind = (kind: MailKind): MailLimit => {
  if (ASKED_FOR.includes(kind)) return 'asked for';
  if (ACCOUNT_NEWS.includes(kind)) return 'account news';
  return BOOKING_NEWS.includes(kind) ? 'booking news' : 'none';
};
