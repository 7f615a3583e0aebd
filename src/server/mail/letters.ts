import type { Letter, LinkTo } from './letter.ts';
import type { MailData, MailKind } from './mails.ts';
import { accountNews } from './templates/account/account-news.ts';
import { adminRemoved } from './templates/account/admin-removed.ts';
import { bankDetails } from './templates/money/bank-details.ts';
import { bookingMade } from './templates/orders/booking-made.ts';
import { confirmAgain } from './templates/account/confirm-again.ts';
import { dispute } from './templates/money/dispute.ts';
import { holdLapsed } from './templates/orders/hold-lapsed.ts';
import { waitlistOver } from './templates/waitlist-over.ts';
import { digest } from './templates/wants/digest.ts';
import { wantOffer } from './templates/wants/want-offer.ts';
import { waitlistTurn } from './templates/waitlist-turn.ts';
import { listingRemoved } from './templates/listing-removed.ts';
import { stockWritten } from './templates/stock-written.ts';
import { moneyReturned } from './templates/money/money-returned.ts';
import { newSignIn } from './templates/account/new-sign-in.ts';
import { message } from './templates/message.ts';
import { note } from './templates/orders/note.ts';
import { order } from './templates/orders/order.ts';
import { paidReceipt } from './templates/orders/paid-receipt.ts';
import { apiKeyMade } from './templates/account/api-key-made.ts';
import { passwordChanged } from './templates/account/password-changed.ts';
import { payout } from './templates/money/payout.ts';
import { refunded } from './templates/money/refunded.ts';
import { review } from './templates/orders/review.ts';
import { reset } from './templates/account/reset.ts';
import { sellerVerified } from './templates/account/seller-verified.ts';
import { sold } from './templates/orders/sold.ts';
import { decision, reportLookedAt } from './templates/account/decision.ts';
import { identity } from './templates/account/identity.ts';
import { listingHeld } from './templates/account/listing-held.ts';
import { suspended, suspensionLifted } from './templates/account/suspended.ts';
import { verificationRemoved } from './templates/account/verification-removed.ts';
import { welcome } from './templates/account/welcome.ts';

const TEMPLATES: { readonly [K in MailKind]: (data: MailData[K], to: LinkTo, timeZone: string) => Letter } = {
  welcome,
  'confirm-again': confirmAgain,
  reset,
  'password-changed': passwordChanged,
  'api-key-made': apiKeyMade,
  'new-sign-in': newSignIn,
  'account-news': accountNews,
  'booking-made': bookingMade,
  'paid-receipt': paidReceipt,
  sold,
  'seller-verified': sellerVerified,
  'admin-removed': adminRemoved,
  'verification-removed': verificationRemoved,
  identity,
  'listing-held': listingHeld,
  'stock-written': stockWritten,
  suspended,
  decision,
  'report-looked-at': reportLookedAt,
  'suspension-lifted': suspensionLifted,
  'listing-removed': listingRemoved,
  'line-turn': waitlistTurn,
  'want-offer': wantOffer,
  digest,
  'hold-lapsed': holdLapsed,
  refunded,
  'money-returned': moneyReturned,
  'line-over': waitlistOver,
  dispute,
  message,
  note,
  review,
  order,
  payout,
  'bank-details': bankDetails,
};

const isKind = (kind: string): kind is MailKind => Object.hasOwn(TEMPLATES, kind);

/**
 * The letter of a queued mail, its times in `timeZone`, which is named. `data` is what was queued for this kind:
 * `queueMail` took nothing else.
 */
export const letterOf = <K extends MailKind>(kind: K, data: MailData[K], to: LinkTo, timeZone: string): Letter =>
  TEMPLATES[kind](data, to, timeZone);

/** As `letterOf`, for a row of the outbox; undefined for a kind that this release does not know. */
export const letterOfRow = (row: { kind: string; data: unknown }, to: LinkTo, timeZone: string): Letter | undefined =>
  // The row's data was checked against its kind by the compiler when it was queued.
  isKind(row.kind) ? letterOf(row.kind, row.data as never, to, timeZone) : undefined;
