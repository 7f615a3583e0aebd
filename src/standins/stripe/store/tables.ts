import type Stripe from 'stripe';
import type { DeclineName } from '#standins/stripe/cards/declines.ts';

/** What is known of a card once its number is forgotten, and how it behaves. */
export interface CardFacts {
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
  funding: string;
  country: string;
  hasCvc: boolean;
  /** Whether the bank asks for authentication first. */
  challenge: boolean;
  /** Why the bank refuses, or null when it pays. */
  decline: DeclineName | null;
  /** Why its owner will dispute the charge; absent when they will not. */
  dispute?: DisputeReason;
  /** Whether the bank takes its time, and what it says in the end; absent when it answers at once. */
  slowly?: ProcessingOutcome;
}

/** Why a card's owner disputes a charge, as far as this stand-in's test cards do. */
export type DisputeReason = 'fraudulent' | 'product_not_received';

/** What comes of a payment whose bank takes its time. */
export type ProcessingOutcome = 'succeeds' | 'fails';

/** A payment that is being processed. */
export interface ProcessingRow {
  outcome: ProcessingOutcome;
  /** Milliseconds since 1970. */
  sinceMs: number;
}

export interface MethodRow {
  method: Stripe.PaymentMethod;
  card: CardFacts;
}

export interface IntentRow {
  intent: Stripe.PaymentIntent;
  /** The authentication that is waiting for the customer, by its source. */
  challenge: { source: string } | null;
}

/** A webhook that has not been accepted yet. */
export interface DeliveryRow {
  eventId: string;
  /** Which of the configured addresses, counted from 0: an address may change between two runs. */
  endpoint: number;
  attempts: number;
  /** Milliseconds since 1970. */
  dueAtMs: number;
}

/** The answer that belongs to an idempotency key. */
export interface IdempotencyKeyRow {
  method: string;
  path: string;
  fingerprint: string;
  status: number;
  body: string;
  requestId: string;
  createdAtMs: number;
}

/** When an account is paid out by itself, and on which days of the week. */
export interface PayoutSchedule {
  interval: 'daily' | 'manual' | 'weekly';
  days: ('friday' | 'monday' | 'thursday' | 'tuesday' | 'wednesday')[];
}

/**
 * What becomes of an account: nothing is known yet, half of it is, all is well, Stripe still looks at it, what was
 * given was refused, something new is wanted of one that was well, or its owner closed it.
 */
export type AccountState = 'active' | 'closed' | 'half' | 'new' | 'pending' | 'refused' | 'restricted';

/** A connected account. */
export interface AccountRow {
  account: Stripe.V2.Core.Account;
  state: AccountState;
  /** Where it is paid out to; `errored` once the bank sent something back. */
  bank: { id: string; status: 'errored' | 'new' | 'none'; isClosed: boolean };
  schedule: PayoutSchedule;
  /** Seconds since 1970, by the clock of the money; null where nothing is paid out by itself. */
  nextPayoutAt: number | null;
}

/** A link to the onboarding, by its token. */
export interface AccountLinkRow {
  account: string;
  refreshUrl: string;
  returnUrl: string;
  /** Seconds since 1970. */
  expiresAt: number;
  /** What the form that was shown must send back; null before it was opened. */
  formToken: string | null;
}

/** What somebody has: at once, and from which second on what waits. */
export interface BalanceRow {
  available: number;
  waiting: Record<string, number>;
}

/** An event of the second version of the API: it says which object changed, and not what it is. */
export interface NoticeRow {
  id: string;
  object: 'v2.core.event';
  context: string;
  created: string;
  livemode: boolean;
  reason: null;
  related_object: { id: string; type: 'v2.core.account'; url: string };
  type: string;
}

/** Everything the stand-in remembers, by table and id. */
export interface Tables {
  payment_intents: IntentRow;
  payment_methods: MethodRow;
  tokens: { card: CardFacts };
  charges: Stripe.Charge;
  refunds: Stripe.Refund;
  disputes: Stripe.Dispute;
  /** By the payment intent's id. */
  processing: ProcessingRow;
  /** How far the clock of the money is ahead. */
  clock: { aheadSeconds: number };
  accounts: AccountRow;
  account_links: AccountLinkRow;
  /** By token. */
  login_links: { account: string; expiresAt: number };
  /** By the account's id, or as the platform's. */
  balances: BalanceRow;
  balance_transactions: { owner: string; transaction: Stripe.BalanceTransaction };
  transfers: Stripe.Transfer;
  transfer_reversals: Stripe.TransferReversal;
  /** What went from accounts to their banks. */
  payouts: { account: string; payout: Stripe.Payout };
  events: Stripe.EventBase;
  notices: NoticeRow;
  deliveries: DeliveryRow;
  idempotency_keys: IdempotencyKeyRow;
}

export type TableName = keyof Tables;

/** The tables by name. */
export const TABLE_NAMES = [
  'payment_intents',
  'payment_methods',
  'tokens',
  'charges',
  'refunds',
  'disputes',
  'processing',
  'clock',
  'accounts',
  'account_links',
  'login_links',
  'balances',
  'balance_transactions',
  'transfers',
  'transfer_reversals',
  'payouts',
  'events',
  'notices',
  'deliveries',
  'idempotency_keys',
] as const satisfies readonly TableName[];
