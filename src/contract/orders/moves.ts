import { BANK_MOVES } from './bank-moves.ts';
import type { Next, OrderMove } from './move.ts';

/** What follows a receipt: time to complain, then the money is the seller's. */
const COMPLAINTS = {
  move: 'close',
  after: 'problem',
  cases: { 'new-seller': 'newSeller', 'trader-to-consumer': 'withdraw' },
} as const satisfies Next;

/** What follows a complaint: a seller who is silent agrees. */
const ANSWER = { move: 'refund-problem', after: 'answer' } as const satisfies Next;

/** Every move of an order. What is not here does not happen; who loses a race reads what did. */
export const ORDER_MOVES = {
  settle: {
    from: [],
    to: 'paid',
    who: ['settle'],
    due: {
      move: 'cancel-unposted',
      after: 'promise',
      plus: 'postGrace',
      reminders: [
        { to: 'seller', daysAfter: 1 },
        { to: 'seller', on: 'promised-day' },
      ],
    },
    mails: ['buyer', 'seller'],
    posts: ['sale', 'postage'],
  },
  post: {
    from: ['paid'],
    to: 'posted',
    who: ['seller'],
    due: {
      move: 'receive',
      after: 'received',
      cases: { abroad: 'receivedAbroad' },
      reminders: [{ to: 'buyer', daysBefore: 4 }],
    },
    mails: ['buyer'],
    posts: [],
  },
  'make-ready': {
    from: ['paid'],
    to: 'ready',
    who: ['seller'],
    due: {
      move: 'cancel-uncollected',
      after: 'pickup',
      reminders: [
        { to: 'buyer', daysAfter: 7 },
        { to: 'seller', daysAfter: 7 },
        { to: 'admin', daysAfter: 14 },
      ],
    },
    mails: ['buyer'],
    posts: [],
  },
  /** What is ready to be picked up: only where the buyer may withdraw. */
  cancel: {
    from: ['paid', 'ready'],
    to: 'cancelled',
    who: ['buyer'],
    due: 'none',
    mails: ['seller', 'buyer'],
    posts: ['refund'],
    borneBy: ['shop'],
    outcome: 'cancelled-by-buyer',
    frozen: 'inquiry',
  },
  refuse: {
    from: ['paid', 'ready'],
    to: 'cancelled',
    who: ['seller'],
    due: 'none',
    mails: ['buyer'],
    posts: ['refund'],
    borneBy: ['seller'],
    outcome: 'cancelled-by-seller',
    frozen: 'inquiry',
  },
  'cancel-unposted': {
    // By time only where nobody made it ready.
    from: ['paid', 'ready'],
    to: 'cancelled',
    // An admin who deletes the seller does not wait for the deadline.
    who: ['clock', 'admin'],
    due: 'none',
    mails: ['buyer', 'seller'],
    posts: ['refund'],
    borneBy: ['seller'],
    outcome: 'not-posted',
  },
  /** One book of several goes; the last one goes by `cancel` and takes the postage along. */
  'take-out': {
    from: ['paid'],
    to: 'same',
    who: ['buyer'],
    due: 'unchanged',
    mails: ['other'],
    posts: ['refund'],
    borneBy: ['shop'],
  },
  /** As `take-out`; the last one goes by `refuse`. */
  'leave-out': {
    from: ['paid', 'ready'],
    to: 'same',
    who: ['seller'],
    due: 'unchanged',
    mails: ['other'],
    posts: ['refund'],
    borneBy: ['seller'],
  },
  'strike-out': {
    from: ['paid', 'ready'],
    to: 'same',
    who: ['admin'],
    due: 'unchanged',
    mails: ['buyer', 'seller'],
    posts: ['refund'],
    borneBy: ['shop', 'seller'],
  },
  'hand-over': {
    from: ['ready'],
    to: 'received',
    // The seller by the buyer's code; after five wrong ones an admin.
    who: ['seller', 'buyer', 'admin'],
    due: COMPLAINTS,
    mails: ['other'],
    posts: [],
  },
  'cancel-uncollected': {
    from: ['ready'],
    to: 'cancelled',
    who: ['clock', 'admin'],
    due: 'none',
    mails: ['buyer', 'seller'],
    posts: ['refund'],
    borneBy: ['shop'],
    outcome: 'not-collected',
    // An admin who has asked both need not wait for the deadline.
    opens: ['uncollected'],
  },
  receive: {
    from: ['posted'],
    to: 'received',
    who: ['buyer', 'clock'],
    due: COMPLAINTS,
    mails: ['seller'],
    posts: [],
  },
  /** "Not here yet": once an order. */
  'wait-longer': {
    from: ['posted'],
    to: 'same',
    who: ['buyer'],
    due: 'longer',
    mails: [],
    posts: [],
  },
  'report-missing': {
    from: ['posted', 'received'],
    to: 'problem',
    who: ['buyer'],
    due: ANSWER,
    mails: ['seller'],
    posts: [],
    opens: ['missing', 'missingAbroad'],
    closes: ['problem'],
  },
  'report-problem': {
    from: ['received'],
    to: 'problem',
    who: ['buyer'],
    due: ANSWER,
    mails: ['seller'],
    posts: [],
    closes: ['problem'],
  },
  /** The parcel came back to its seller. */
  'come-back': {
    from: ['posted'],
    to: 'returning',
    who: ['seller'],
    due: { move: 'close-returned', after: 'cameBack' },
    mails: ['other'],
    posts: [],
  },
  /** The buyer of a trader's book withdraws from the contract; what is not on its way yet they cancel. */
  withdraw: {
    from: ['posted', 'received'],
    to: 'returning',
    who: ['buyer'],
    due: { move: 'keep-unreturned', after: 'withdrawReturn', cases: { 'on-its-way': 'receivedAbroad' } },
    mails: ['buyer', 'seller'],
    posts: [],
    closes: ['withdraw'],
  },
  close: {
    from: ['received'],
    to: 'closed',
    who: ['clock'],
    due: 'none',
    mails: ['seller'],
    posts: ['release'],
    outcome: 'completed',
  },
  'refund-problem': {
    from: ['problem', 'returning'],
    to: 'closed',
    who: ['seller', 'clock', 'admin'],
    due: 'none',
    mails: ['buyer', 'seller'],
    posts: ['refund', 'release'],
    borneBy: ['seller'],
    outcome: 'refunded',
    frozen: 'inquiry',
  },
  /** The seller offers a part of the price back; another offer leaves the deadline as it is. */
  'offer-part': {
    from: ['problem'],
    to: 'same',
    who: ['seller'],
    due: { move: 'ask-admin', after: 'answer' },
    mails: ['buyer'],
    posts: [],
  },
  /**
   * Seller or buyer do not agree, also about what goes back, or the buyer does not answer an offer: an admin decides.
   */
  'ask-admin': {
    from: ['problem', 'returning'],
    to: 'same',
    who: ['seller', 'buyer', 'clock'],
    due: { move: 'refund-problem', after: 'decide' },
    mails: ['other', 'admin'],
    posts: [],
    once: true,
  },
  'refund-part': {
    from: ['problem', 'returning'],
    to: 'closed',
    // The buyer by accepting the seller's offer.
    who: ['buyer', 'admin'],
    due: 'none',
    mails: ['buyer', 'seller'],
    posts: ['part-refund', 'release'],
    borneBy: ['seller'],
    outcome: 'part-refunded',
  },
  keep: {
    from: ['problem'],
    to: 'closed',
    who: ['buyer', 'admin'],
    due: 'none',
    mails: ['buyer', 'seller'],
    posts: ['release'],
    outcome: 'kept',
  },
  /** The seller wants the book back and pays its way. */
  'ask-back': {
    from: ['problem'],
    to: 'returning',
    who: ['seller'],
    due: { move: 'keep-unreturned', after: 'return' },
    mails: ['buyer'],
    posts: [],
  },
  'post-back': {
    from: ['returning'],
    to: 'same',
    who: ['buyer'],
    due: { move: 'take-back', after: 'returnPosted' },
    mails: ['seller'],
    posts: [],
    once: true,
  },
  /** The returned parcel is with the seller, says its buyer by what the carrier tells. */
  'arrive-back': {
    from: ['returning'],
    to: 'same',
    who: ['buyer', 'admin'],
    due: { move: 'take-back', after: 'returnArrived' },
    mails: ['seller'],
    posts: [],
    once: true,
  },
  'keep-unreturned': {
    from: ['returning'],
    to: 'closed',
    who: ['clock', 'buyer', 'admin'],
    due: 'none',
    mails: ['buyer', 'seller'],
    posts: ['release'],
    outcome: 'kept',
  },
  'take-back': {
    from: ['returning'],
    to: 'closed',
    who: ['seller', 'clock'],
    due: 'none',
    mails: ['buyer', 'seller'],
    posts: ['refund', 'release'],
    borneBy: ['seller'],
    outcome: 'refunded',
  },
  /**
   * What came back is over: prices without postage where the address was wrong or nobody took it in, and where an admin
   * decides so, else all.
   */
  'close-returned': {
    from: ['returning'],
    to: 'closed',
    who: ['seller', 'buyer', 'admin', 'clock'],
    due: 'none',
    mails: ['buyer', 'seller'],
    posts: ['refund', 'release'],
    borneBy: ['shop', 'seller'],
    outcome: 'came-back',
  },
  /** An admin gives all of it back before it is on its way, or somebody did so at the provider. */
  'call-off': {
    from: ['paid', 'ready'],
    to: 'cancelled',
    who: ['admin', 'bank'],
    due: 'none',
    mails: ['seller'],
    posts: ['refund'],
    borneBy: ['shop'],
    outcome: 'refunded',
    frozen: 'inquiry',
  },
  /** As `call-off`, once it was on its way. */
  'refund-order': {
    from: ['posted', 'received', 'problem', 'returning'],
    to: 'closed',
    who: ['admin', 'bank'],
    due: 'none',
    mails: ['seller'],
    posts: ['refund', 'release'],
    borneBy: ['shop'],
    outcome: 'refunded',
    frozen: 'inquiry',
  },
  ...BANK_MOVES,
  'refund-later': {
    from: ['closed'],
    to: 'same',
    who: ['admin', 'seller'],
    due: 'none',
    mails: ['buyer', 'seller'],
    posts: ['refund', 'part-refund', 'payout-reversed'],
    borneBy: ['shop', 'seller'],
    closes: ['refund'],
  },
} as const satisfies Record<string, OrderMove>;

export type OrderMoveId = keyof typeof ORDER_MOVES;
