import Stripe from 'stripe';
import { Refusal } from '#server/platform/errors.ts';

/** A call to Stripe is given up after this long and tried twice more, with the same idempotency key. */
const TIMEOUT_MS = 5_000;
const MAX_RETRIES = 2;
/** How far an event's timestamp may be from our clock, before or after (the SDK only checks before). */
const TOLERANCE_SECONDS = 300;
const RETRY_AFTER_SECONDS = 5;
const EVENT_ID = /^evt_\w{1,250}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A payment intent as the provider knows it. */
export interface IntentFacts {
  readonly id: string;
  readonly status: Stripe.PaymentIntent.Status;
  readonly amountCents: number;
  readonly currency: string;
  readonly clientSecret: string;
  /** The booking and number our metadata names; empty and 0 for an intent that is not ours. */
  readonly bookingId: string;
  readonly n: number;
}

export interface ProviderEvent {
  readonly id: string;
  readonly type: string;
  /** The payment intent it speaks of, if it does. */
  readonly intentId: string | undefined;
}

export interface NewIntent {
  readonly bookingId: string;
  readonly n: number;
  readonly amountCents: number;
  readonly email: string;
}

export interface ProviderOptions {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Where the API is, when it is not Stripe's own host: the stand-in's loopback port. */
  readonly at?: { readonly host: string; readonly port: number; readonly protocol: 'http' | 'https' } | undefined;
}

export type PaymentProvider = ReturnType<typeof createProvider>;

/** What our metadata says; anybody with the account's key can write there, so it is read like input. */
const oursIn = (metadata: Stripe.Metadata): { bookingId: string; n: number } => {
  const { booking_id: bookingId = '', n = '' } = metadata;
  return UUID.test(bookingId) && /^\d{1,6}$/.test(n) ? { bookingId, n: Number(n) } : { bookingId: '', n: 0 };
};

const factsOf = (intent: Stripe.PaymentIntent): IntentFacts => ({
  id: intent.id,
  status: intent.status,
  amountCents: intent.amount,
  currency: intent.currency,
  clientSecret: intent.client_secret ?? '',
  ...oursIn(intent.metadata),
});

/** The provider's failure to answer becomes 502; what it says of a request of ours stays as it is. */
const reachable = async <T>(call: Promise<T>): Promise<T> => {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) throw error;
    if (error instanceof Stripe.errors.StripeError) {
      throw new Refusal('provider_unavailable', 'The payment service does not answer right now; nothing was charged', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
    throw error;
  }
};

const isResourceMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';

/** Refuses a signature dated further ahead than the tolerance. */
const refuseFutureTimestamp = (signature: string): void => {
  const seconds = Number(/(?:^|,)t=(\d+)/.exec(signature)?.[1] ?? Number.NaN);
  if (!(seconds <= Date.now() / 1000 + TOLERANCE_SECONDS)) {
    throw new Refusal('bad_request', 'The signature is dated in the future');
  }
};

const intentIdOf = (event: Stripe.Event): string | undefined => {
  const { object } = event.data;
  if (!('object' in object)) return undefined;
  return object.object === 'payment_intent' ? object.id : undefined;
};

/** The payment provider, through Stripe's own SDK; the stand-in is reached by the very same code. */
export const createProvider = (options: ProviderOptions) => {
  const stripe = new Stripe(options.secretKey, {
    ...options.at,
    timeout: TIMEOUT_MS,
    maxNetworkRetries: MAX_RETRIES,
    telemetry: false,
    appInfo: { name: 'Dogear' },
  });
  return {
    /** Makes the n-th intent of a booking; repeated with the same n it answers the same intent. */
    createIntent: async (intent: NewIntent): Promise<IntentFacts> =>
      factsOf(
        await reachable(
          stripe.paymentIntents.create(
            {
              amount: intent.amountCents,
              currency: 'usd',
              // Cards and what settles like them: nothing that leaves the page
              automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
              receipt_email: intent.email,
              metadata: { booking_id: intent.bookingId, n: String(intent.n) },
            },
            { idempotencyKey: `pi:${intent.bookingId}:${intent.n}` },
          ),
        ),
      ),

    /** The intent as it is now; undefined when the provider knows none by this id. */
    findIntent: async (id: string): Promise<IntentFacts | undefined> => {
      try {
        return factsOf(await reachable(stripe.paymentIntents.retrieve(id)));
      } catch (error) {
        if (isResourceMissing(error)) return undefined;
        throw error;
      }
    },

    /** Asks for cancellation and answers what the intent is afterwards: cancelled, or what kept it from being so. */
    cancelIntent: async (id: string): Promise<IntentFacts> => {
      try {
        return factsOf(await reachable(stripe.paymentIntents.cancel(id, {}, { idempotencyKey: `cancel:${id}` })));
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
        return factsOf(await reachable(stripe.paymentIntents.retrieve(id)));
      }
    },

    /** The event in a webhook's raw body, if its signature is genuine and within five minutes of now; else 400. */
    readEvent: (rawBody: Buffer, signature: string): ProviderEvent => {
      refuseFutureTimestamp(signature);
      try {
        const event = stripe.webhooks.constructEvent(rawBody, signature, options.webhookSecret, TOLERANCE_SECONDS);
        if (!EVENT_ID.test(event.id)) throw new Error('this is no event');
        return { id: event.id, type: event.type, intentId: intentIdOf(event) };
      } catch {
        throw new Refusal('bad_request', 'The signature does not match');
      }
    },
  };
};
