import type { OrderMove, OrderState } from './move.ts';

const OPEN = ['paid', 'posted', 'ready', 'received', 'problem', 'returning'] as const satisfies readonly OrderState[];

/** What the buyer's bank makes of an order: it looks into its payment, and decides. */
export const BANK_MOVES = {
  freeze: {
    from: OPEN,
    to: 'same',
    who: ['bank'],
    due: 'stopped',
    mails: ['seller', 'buyer', 'admin'],
    posts: ['dispute-opened'],
    // An inquiry becomes a chargeback.
    frozen: 'inquiry',
  },
  thaw: {
    from: OPEN,
    to: 'same',
    who: ['bank'],
    due: 'rest',
    mails: ['seller', 'buyer'],
    posts: ['dispute-won'],
    frozen: 'only',
  },
  /** The bank has paid the buyer; of books that it did not decide about the money is given back. */
  'lose-unposted': {
    from: ['paid', 'ready'],
    to: 'cancelled',
    who: ['bank'],
    due: 'none',
    mails: ['seller'],
    posts: ['dispute-lost', 'refund'],
    borneBy: ['shop'],
    outcome: 'lost',
    frozen: 'only',
  },
  lose: {
    from: ['posted', 'received', 'problem', 'returning'],
    to: 'closed',
    who: ['bank'],
    due: 'none',
    mails: ['seller'],
    posts: ['dispute-lost', 'release'],
    outcome: 'lost',
    frozen: 'only',
  },
  'dispute-later': {
    from: ['closed'],
    to: 'same',
    who: ['bank'],
    due: 'none',
    mails: ['buyer', 'seller'],
    posts: ['dispute-opened', 'payout-reversed'],
  },
  'win-later': {
    from: ['closed'],
    to: 'same',
    who: ['bank'],
    due: 'none',
    mails: ['seller'],
    posts: ['dispute-won'],
  },
  'lose-later': {
    from: ['closed'],
    to: 'same',
    who: ['bank'],
    due: 'none',
    mails: ['seller'],
    posts: ['dispute-lost'],
  },
  /** The order had ended as the bank decided for the buyer; on appeal the money is its seller's after all. */
  'win-appeal': {
    from: ['closed'],
    to: 'same',
    who: ['bank'],
    due: 'none',
    mails: ['seller', 'buyer'],
    posts: ['dispute-won'],
    outcome: 'kept',
  },
  /** As `win-appeal`, of an order that was never posted: its buyer has neither book nor money, and gets the money. */
  'win-unposted': {
    from: ['cancelled'],
    to: 'same',
    who: ['bank'],
    due: 'none',
    mails: ['buyer', 'seller'],
    posts: ['dispute-won', 'refund'],
    borneBy: ['shop'],
    outcome: 'refunded',
  },
} as const satisfies Record<string, OrderMove>;
