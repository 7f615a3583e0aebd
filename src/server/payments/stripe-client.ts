import Stripe from 'stripe';
import { createBreaker, CircuitOpen, type Breaker } from '#server/platform/breaker.ts';
import { AppError } from '#server/platform/errors.ts';
import { ProviderFailed, RETRY_AFTER_SECONDS, UNAVAILABLE, type ProviderOptions } from './provider.ts';

/** A call to Stripe is given up after this long and tried twice more, with the same idempotency key. */
const TIMEOUT_MS = 5_000;
const MAX_RETRIES = 2;
/** As many as the provider lists at once. */
export const LIST_LIMIT = 100;
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const unavailable = (): AppError =>
  new AppError('provider_unavailable', UNAVAILABLE, { retryAfterSeconds: RETRY_AFTER_SECONDS });

/** Whether the provider is unwell: it does not answer, or not for us, or with what broke on its side. */
const isUnwell = (error: Error): boolean =>
  error instanceof Stripe.errors.StripeConnectionError ||
  error instanceof Stripe.errors.StripeRateLimitError ||
  (error instanceof Stripe.errors.StripeAPIError && (error.statusCode ?? 0) >= 500);

/** The provider's failure to answer becomes 502; what it says of a request of ours stays as it is. */
const reachable =
  (breaker: Breaker) =>
  async <T>(call: () => Promise<T>): Promise<T> => {
    try {
      return await breaker.call(call);
    } catch (error) {
      if (error instanceof Stripe.errors.StripeInvalidRequestError) throw error;
      if (error instanceof Stripe.errors.StripeAPIError && (error.statusCode ?? 0) >= 500) throw new ProviderFailed();
      if (error instanceof Stripe.errors.StripeError || error instanceof CircuitOpen) throw unavailable();
      throw error;
    }
  };

export const isResourceMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';

export const idOf = (reference: string | { readonly id: string } | null | undefined): string | undefined =>
  typeof reference === 'string' ? reference : reference?.id;

/** The SDK, and how it is asked: everything goes through one breaker. */
export const openClient = (options: ProviderOptions) => {
  const stripe = new Stripe(options.secretKey, {
    ...options.at,
    timeout: TIMEOUT_MS,
    maxNetworkRetries: MAX_RETRIES,
    telemetry: false,
    appInfo: { name: 'Dogear' },
  });
  return { stripe, ask: reachable(createBreaker({ dependency: 'stripe', isFailure: isUnwell })) };
};

export type StripeClient = ReturnType<typeof openClient>;
