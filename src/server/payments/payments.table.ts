import type { Generated } from 'kysely';

export interface PaymentIntentsTable {
  booking_id: string;
  n: number;
  amount_cents: number;
  currency: Generated<string>;
  provider_id: string | null;
  state: Generated<'live' | 'succeeded' | 'cancelled'>;
  created_at: Generated<Date>;
}

export interface PaymentsTable {
  id: Generated<string>;
  booking_id: string;
  provider_id: string;
  amount_cents: number;
  currency: string;
  created_at: Generated<Date>;
}

export interface ProviderEventsTable {
  id: string;
  type: string;
  received_at: Generated<Date>;
}
