import type { DeadlineName } from './deadlines.ts';

/** How far an order is. Closed and cancelled are its ends; what follows them is about money only. */
export type OrderState = 'paid' | 'posted' | 'ready' | 'received' | 'problem' | 'returning' | 'closed' | 'cancelled';

/** Who moves an order: people, time, the settlement of its payment, and the bank that looks into it. */
export type OrderActor = 'buyer' | 'seller' | 'admin' | 'clock' | 'settle' | 'bank';

/** Who is mailed; `other` is whichever of buyer and seller did not act. */
export type MailTo = 'buyer' | 'seller' | 'admin' | 'other';

/** What a move posts to the ledger. */
export type OrderPosting =
  | 'sale'
  | 'postage'
  | 'refund'
  | 'part-refund'
  | 'release'
  | 'dispute-opened'
  | 'dispute-won'
  | 'dispute-lost'
  | 'payout-reversed';

/** How an order ended. */
export type OrderOutcome =
  | 'completed'
  | 'kept'
  | 'refunded'
  | 'part-refunded'
  | 'came-back'
  | 'cancelled-by-buyer'
  | 'cancelled-by-seller'
  | 'not-posted'
  | 'not-collected'
  | 'lost';

/** The moves that time makes when nobody else has made another. */
export type ClockMove =
  | 'cancel-unposted'
  | 'cancel-uncollected'
  | 'receive'
  | 'close'
  | 'refund-problem'
  | 'ask-admin'
  | 'keep-unreturned'
  | 'take-back'
  | 'close-returned';

/** When somebody is reminded: days after the state was entered, days before it is over, or on the promised day. */
export type Reminder = { readonly to: MailTo } & (
  | { readonly daysAfter: number }
  | { readonly daysBefore: number }
  | { readonly on: 'promised-day' }
);

/** What time does next with an order, computed once when a move has been made. */
export interface Next {
  readonly move: ClockMove;
  readonly after: DeadlineName;
  /** Added to `after`. */
  readonly plus?: DeadlineName;
  /** Another length for special cases, the longest where several fit. */
  readonly cases?: Readonly<
    Partial<Record<'abroad' | 'new-seller' | 'trader-to-consumer' | 'on-its-way', DeadlineName>>
  >;
  readonly reminders?: readonly Reminder[];
}

/**
 * The deadline after a move: a new one; `unchanged`, what was due stays due; `longer`, it is put off; `stopped`, its
 * rest is kept; `rest`, that rest begins; `none`, the order has ended.
 */
export type Due = Next | 'unchanged' | 'longer' | 'stopped' | 'rest' | 'none';

/** One edge of an order's life: a guarded change of state with its mails, its posting and its deadline. */
export interface OrderMove {
  readonly from: readonly OrderState[];
  readonly to: OrderState | 'same';
  readonly who: readonly OrderActor[];
  readonly due: Due;
  readonly mails: readonly MailTo[];
  readonly posts: readonly OrderPosting[];
  /** Who bears the provider's fee of what is given back; of two whoever caused it. */
  readonly borneBy?: readonly ('shop' | 'seller')[];
  /** How the order ends by it, or has ended after all. */
  readonly outcome?: OrderOutcome;
  /**
   * From when on people may make it, counted from posting or else from when the state was entered, and until when,
   * counted from the latter.
   */
  readonly opens?: readonly DeadlineName[];
  readonly closes?: readonly DeadlineName[];
  /** Made once while the order is in a state, by whomever. */
  readonly once?: true;
  /** Made while the order stands still: only then, or also while the bank merely inquires. */
  readonly frozen?: 'only' | 'inquiry';
}
