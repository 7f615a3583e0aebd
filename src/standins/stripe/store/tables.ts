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
  events: Stripe.EventBase;
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
  'events',
  'deliveries',
  'idempotency_keys',
] as const satisfies readonly TableName[];
