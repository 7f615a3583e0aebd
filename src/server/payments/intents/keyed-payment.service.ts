import { onceAcrossCalls } from '#server/bookings/idempotency.service.ts';
import { requireBuyer, type Viewer } from '#server/platform/viewer.ts';
import { createPaymentIntent, recallPaymentIntent, recordPayment, type IntentToPay } from './payment.service.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';

/**
 * `createPaymentIntent`, once for an `Idempotency-Key` where one is sent. The key keeps the intent's id, never its
 * secret.
 */
export const createPaymentIntentOnce = async (
  deps: PaymentDeps,
  viewer: Viewer,
  input: Parameters<typeof createPaymentIntent>[2],
  key: string | undefined,
): Promise<IntentToPay> => {
  const { userId } = requireBuyer(viewer);
  const work = (): Promise<IntentToPay> => createPaymentIntent(deps, viewer, input);
  if (key === undefined) return work();
  const request = { userId, operation: 'POST /create-payment-intent', key, body: input };
  return onceAcrossCalls(deps.db, request, {
    work,
    keep: ({ intentId }) => ({ intentId }),
    recall: ({ intentId }) => recallPaymentIntent(deps, intentId, input.bookingId),
  });
};

/** `recordPayment`, once for an `Idempotency-Key` where one is sent; "still processing" is no answer to keep. */
export const recordPaymentOnce = async (
  deps: PaymentDeps,
  viewer: Viewer,
  input: Parameters<typeof recordPayment>[2],
  key: string | undefined,
): Promise<{ insertedId: string | null }> => {
  const { userId } = requireBuyer(viewer);
  const work = (): Promise<{ insertedId: string | null }> => recordPayment(deps, viewer, input);
  if (key === undefined) return work();
  const request = { userId, operation: 'POST /payments', key, body: input };
  return onceAcrossCalls(deps.db, request, {
    work,
    keep: (answer) => (answer.insertedId === null ? undefined : answer),
    recall: async (kept) => kept,
  });
};
