import type { Generated } from 'kysely';
import type { PayoutRequirement } from '#contract/money/payouts.ts';

/** `none`: the seller has not begun. */
export type PayoutAccountStatus = 'none' | 'pending' | 'active' | 'restricted';

export interface PayoutAccountsTable {
  seller_id: string;
  /** Counts the accounts ever asked for. */
  n: Generated<number>;
  account_id: string | null;
  country: string | null;
  status: Generated<PayoutAccountStatus>;
  /** jsonb: what the provider still wants to know. */
  requirements: Generated<PayoutRequirement[]>;
  checked_at: Date | null;
  scheduled_at: Date | null;
  ready_at: Date | null;
  /** Since when money waits for details that are missing, and after how many days its seller was told last. */
  waiting_since: Date | null;
  told_days: number | null;
  /** Null: nothing has changed since it was looked at. Set by the database with every posting. */
  look_at: Generated<Date | null>;
  created_at: Generated<Date>;
}

export type PayoutState = 'asked' | 'sent' | 'refused' | 'returned';

export interface PayoutsTable {
  id: Generated<string>;
  seller_id: string;
  /** Null for what belongs to no order. */
  order_id: string | null;
  n: number;
  way: 'connect' | 'manual';
  amount_cents: number;
  account_id: string | null;
  /** Whether it is taken from the charge that paid its order. */
  from_charge: Generated<boolean>;
  state: Generated<PayoutState>;
  provider_id: string | null;
  refusal_code: string | null;
  refusal_words: string | null;
  reversed_cents: Generated<number>;
  created_at: Generated<Date>;
  /** In real time. */
  written_at: Generated<Date>;
  asked_at: Generated<Date | null>;
  settled_at: Generated<Date | null>;
}

export interface PayoutReversalsTable {
  id: Generated<string>;
  payout_id: string;
  n: number;
  amount_cents: number;
  state: Generated<'asked' | 'done' | 'refused'>;
  provider_id: string | null;
  refusal_code: string | null;
  refusal_words: string | null;
  created_at: Generated<Date>;
  /** In real time. */
  written_at: Generated<Date>;
  asked_at: Generated<Date | null>;
  settled_at: Generated<Date | null>;
}

export interface BankPayoutsTable {
  id: string;
  seller_id: string;
  amount_cents: number;
  status: 'pending' | 'in_transit' | 'paid' | 'failed' | 'canceled';
  arrives_at: Date | null;
  failure: string | null;
  first_seen_at: Generated<Date>;
}
