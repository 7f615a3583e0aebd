import type Stripe from 'stripe';
import { AppError } from '#server/platform/errors.ts';

/** A payment intent as the provider knows it. */
export interface IntentFacts {
  readonly id: string;
  readonly status: Stripe.PaymentIntent.Status;
  readonly amountCents: number;
  readonly currency: string;
  readonly clientSecret: string;
  /** The first of its bookings and the number our metadata names; empty and 0 for an intent that is not ours. */
  readonly bookingId: string;
  readonly n: number;
  /** What was given back of it so far; undefined where this answer does not tell. */
  readonly refundedCents: number | undefined;
  /** Each of its refunds; undefined where there are some that this answer does not tell. */
  readonly refunds: readonly RefundFacts[] | undefined;
  /** When its last charge was made; undefined where there is none or this answer does not tell. */
  readonly chargedAt: Date | undefined;
  /** Its last charge, which a transfer to the seller is taken from; undefined where there is none. */
  readonly chargeId: string | undefined;
  /** The card that it was paid with; undefined where it was another thing or this answer does not tell. */
  readonly card: { readonly fingerprint: string; readonly last4: string } | undefined;
}

export interface ProviderEvent {
  readonly id: string;
  readonly type: string;
  /** The payment intent it speaks of, if it does. */
  readonly intentId: string | undefined;
  /** The dispute it speaks of, if it does. */
  readonly disputeId: string | undefined;
  /** The connected account it speaks of or comes from, if it does; nothing says that it is one of ours. */
  readonly accountId: string | undefined;
  /** The transfer to a connected account that it speaks of, if it does. */
  readonly transferId: string | undefined;
  /** The payout from a connected account to its bank that it speaks of, if it does. */
  readonly bankPayoutId: string | undefined;
  /** Whether it is of test mode where the shop works live, or the other way round: an endpoint is sent both. */
  readonly isOfOtherMode: boolean;
}

/** A refund as the provider knows it; `failed` is money that came back to the shop. */
export interface RefundFacts {
  readonly id: string;
  readonly amountCents: number;
  readonly state: 'pending' | 'done' | 'failed';
  /** The row of ours and the try that our metadata names; undefined for a refund that nobody here asked for. */
  readonly ours: { readonly refundId: string; readonly n: number } | undefined;
}

export interface DisputeFacts {
  readonly id: string;
  readonly intentId: string;
  readonly amountCents: number;
  readonly reason: string;
  readonly state: 'open' | 'won' | 'lost';
  /** The bank only asks: it has taken no money. Absent: it has. */
  readonly isInquiry?: boolean;
  /** Until when the shop may answer it; null where the provider does not say. */
  readonly dueBy: Date | null;
  /** What the provider has kept for it so far, beside its amount; absent: unknown. */
  readonly feeCents?: number;
}

export const RETRY_AFTER_SECONDS = 5;
export const UNAVAILABLE = 'The payment service does not answer right now; nothing was charged';

/**
 * The provider answered that something broke on its side. It may have done the work all the same, and it answers the
 * same to every repetition with the same key: only looking tells what became of it.
 */
export class ProviderFailed extends AppError {
  constructor() {
    super('provider_unavailable', UNAVAILABLE, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}

/** The provider will not do what was asked, now or later; `message` is its own. */
export class ProviderRefused extends Error {
  override readonly name = 'ProviderRefused';
  /** The provider's word for why, such as `balance_insufficient`; empty where it has none. */
  readonly code: string;
  constructor(message: string, code = '') {
    super(message);
    this.code = code;
  }
}

export interface NewIntent {
  readonly bookingId: string;
  readonly checkoutId: string;
  readonly n: number;
  readonly amountCents: number;
  readonly email: string;
  /** When it was written down, before the provider was asked. */
  readonly writtenAt: Date;
}

export interface ProviderOptions {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** What signs the events of connected accounts, which come from endpoints of their own. */
  readonly connectWebhookSecrets?: readonly string[] | undefined;
  /** Where the API is, when it is not Stripe's own host: the stand-in's loopback port. */
  readonly at?: { readonly host: string; readonly port: number; readonly protocol: 'http' | 'https' } | undefined;
}

/** What the provider is asked to give back. */
export interface RefundToSend {
  readonly id: string;
  readonly paymentId: string;
  readonly intentId: string;
  /** Which of all refunds ever asked of the intent this is. */
  readonly n: number;
  /** Null for what was begun before refunds had parts: all that is left of the intent. */
  readonly amountCents: number | null;
}
