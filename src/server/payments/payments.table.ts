import type { Generated } from 'kysely';

/** `returned`: it took money for a copy that was lost. */
export type IntentState = 'live' | 'succeeded' | 'cancelled' | 'returned';

export interface PaymentIntentsTable {
  booking_id: string;
  n: number;
  amount_cents: number;
  currency: Generated<string>;
  provider_id: string | null;
  state: Generated<IntentState>;
  created_at: Generated<Date>;
  processing_at: Generated<Date | null>;
  stopped_at: Generated<Date | null>;
}

export interface PaymentsTable {
  id: Generated<string>;
  booking_id: string;
  provider_id: string;
  amount_cents: number;
  currency: string;
  created_at: Generated<Date>;
  outcome: Generated<'sale' | 'returned'>;
  refunded_cents: Generated<number>;
}

export interface RefundsTable {
  payment_id: string;
  reason: 'admin' | 'lost-copy' | 'provider';
  requested_by: string | null;
  n: Generated<number>;
  state: Generated<'requested' | 'done' | 'failed'>;
  provider_id: string | null;
  asked_at: Generated<Date | null>;
  created_at: Generated<Date>;
  done_at: Generated<Date | null>;
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
  due_by: Date | null;
  opened_at: Generated<Date>;
  closed_at: Date | null;
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
