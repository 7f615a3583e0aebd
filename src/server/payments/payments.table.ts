import type { Generated } from 'kysely';
import type { Address } from '#contract/delivery/address.ts';

/** `returned`: it took money for a copy that was lost. */
export type IntentState = 'live' | 'succeeded' | 'cancelled' | 'returned';

/** What one payment buys of one seller. */
export interface CheckoutsTable {
  id: Generated<string>;
  buyer_id: string;
  seller_id: string;
  delivery: 'pickup' | 'post';
  /** jsonb; null for pickup, and once an order has taken it over. */
  address: Address | null;
  is_abroad: Generated<boolean>;
  place: Generated<string>;
  days_to_post: Generated<number>;
  terms_version: Generated<string>;
  tax_cents: Generated<number>;
  created_at: Generated<Date>;
}

export interface CheckoutBookingsTable {
  checkout_id: string;
  booking_id: string;
  price_cents: number;
  postage_cents: number;
  /** Kept by the database: whether an intent of the checkout could still take money. */
  is_live: Generated<boolean>;
}

export interface PaymentIntentsTable {
  /** The first of the checkout's bookings; `n` counts on over all checkouts that begin with it. */
  booking_id: string;
  /** Filled in by the database where the release before writes none. */
  checkout_id: Generated<string>;
  n: number;
  amount_cents: number;
  currency: Generated<string>;
  provider_id: string | null;
  state: Generated<IntentState>;
  created_at: Generated<Date>;
  processing_at: Generated<Date | null>;
  stopped_at: Generated<Date | null>;
}

/** With which cards somebody paid; the provider's fingerprint tells one from another. */
export interface PaymentCardsTable {
  fingerprint: string;
  user_id: string;
  last4: Generated<string>;
  first_at: Generated<Date>;
}

export interface PaymentsTable {
  id: Generated<string>;
  booking_id: string;
  provider_id: string;
  /** Price and postage. */
  amount_cents: number;
  postage_cents: Generated<number>;
  /** What the provider keeps of the price and of the postage, and the shop of the price. */
  fee_cents: Generated<number>;
  postage_fee_cents: Generated<number>;
  commission_cents: Generated<number>;
  currency: string;
  created_at: Generated<Date>;
  outcome: Generated<'sale' | 'returned'>;
  refunded_cents: Generated<number>;
}

export type RefundReason = 'admin' | 'lost-copy' | 'provider' | 'order';
export type RefundState = 'requested' | 'pending' | 'done' | 'failed';

export interface RefundsTable {
  id: Generated<string>;
  payment_id: string;
  /** With `n` the key at the provider; filled in by the database where the release before writes none. */
  intent_id: Generated<string>;
  n: Generated<number>;
  reason: RefundReason;
  requested_by: string | null;
  /** Null where it was begun before refunds had parts: all that is left. */
  amount_cents: number | null;
  /** Of the amount, what is postage. */
  postage_cents: Generated<number>;
  /** Who carries what neither seller nor shop gives back of its share. */
  borne_by: Generated<'shop' | 'seller'>;
  state: Generated<RefundState>;
  provider_id: string | null;
  asked_at: Generated<Date | null>;
  created_at: Generated<Date>;
  done_at: Generated<Date | null>;
  /** How the operator paid it where the provider could not; null else. */
  by_hand_reference: Generated<string | null>;
  pending_at: Generated<Date | null>;
  /** The lost dispute by which the buyer's bank paid it; null else. */
  dispute_id: Generated<string | null>;
}

export interface ProviderEventsTable {
  id: string;
  type: string;
  received_at: Generated<Date>;
  processed_at: Generated<Date>;
  outcome: Generated<'acted' | 'not-ours' | 'ignored'>;
}

export interface PaymentFailuresTable {
  event_id: string;
  booking_id: string;
  n: number;
  buyer_id: string;
  at: Generated<Date>;
}

export type DisputeState = 'open' | 'won' | 'lost';

export interface DisputesTable {
  id: string;
  payment_id: string;
  amount_cents: number;
  reason: string;
  state: DisputeState;
  /** The bank has taken no money. */
  is_inquiry: Generated<boolean>;
  due_by: Date | null;
  opened_at: Generated<Date>;
  closed_at: Date | null;
  /** When it was lost, where an appeal won it afterwards. */
  lost_at: Generated<Date | null>;
  /** What the provider has kept for it, as posted. */
  fee_cents: Generated<number>;
}

export interface DisputeSharesTable {
  dispute_id: string;
  payment_id: string;
  amount_cents: number;
}

export interface MoneyDifferencesTable {
  id: Generated<string>;
  kind: string;
  subject: string;
  says: string;
  times: Generated<number>;
  found_at: Generated<Date>;
  last_found_at: Generated<Date>;
  mended_at: Date | null;
}

export interface ReconcileRunsTable {
  id: Generated<string>;
  scope: 'unpaid' | 'all';
  started_at: Date;
  ended_at: Generated<Date>;
  looked_at: number;
  settled: number;
  differences: number;
}
