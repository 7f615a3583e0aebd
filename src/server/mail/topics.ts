import type { TopicId } from '#contract/notices/topics.ts';
import type { MailKind } from './mails.ts';

/**
 * What each kind of mail is about, so that it stands in the bell and its mails can be chosen; null for what is only
 * mailed: links that open an account, and news for whoever may have lost theirs.
 */
export const TOPIC_OF: { readonly [K in MailKind]: TopicId | null } = {
  welcome: null,
  'confirm-again': null,
  reset: null,
  'password-changed': null,
  'new-sign-in': null,
  'account-news': null,
  'api-key-made': null,
  'booking-made': 'bookings',
  'hold-lapsed': 'bookings',
  'line-turn': 'line',
  'line-over': 'line',
  'want-offer': 'wants',
  digest: 'watched',
  'paid-receipt': 'orders',
  sold: 'orders',
  refunded: 'orders',
  'money-returned': 'orders',
  dispute: 'orders',
  order: 'orders',
  payout: 'orders',
  'bank-details': 'orders',
  message: 'messages',
  note: 'messages',
  review: 'reviews',
  'seller-verified': 'account',
  'admin-removed': 'account',
  'verification-removed': 'account',
  identity: 'account',
  'listing-held': 'account',
  'stock-written': 'account',
  suspended: 'account',
  decision: 'account',
  'report-looked-at': 'account',
  'suspension-lifted': 'account',
  'listing-removed': 'account',
};

/** The topic of a row of the outbox; undefined for kinds of another release. */
export const topicOfRow = (kind: string): TopicId | null | undefined =>
  (TOPIC_OF as Record<string, TopicId | null>)[kind];
