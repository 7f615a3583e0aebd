import type { FastifyInstance } from 'fastify';
import { cancelBooking as cancelBookingCall } from '#contract/bookings/bookings.ts';
import * as contract from '#contract/money/payments.ts';
import { PURCHASES, perAccount, perNetwork } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import { createPaymentIntentOnce, recordPaymentOnce } from './keyed-payment.service.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';
import { cancelBooking } from '#server/payments/settlement/release.service.ts';

/** What the browser needs to reach the provider. */
export interface PaymentSetup {
  readonly publishableKey: string;
  /** Path of the stand-in's browser script; null when Stripe's own is used. */
  readonly script: string | null;
  readonly test: boolean;
}

/** The two payment calls, their setup, and DELETE /bookings/:id, which must ask the provider first. */
export const paymentRoutes = (app: FastifyInstance, deps: PaymentDeps & { setup: PaymentSetup }): void => {
  serve(app, contract.paymentSetup, 'anyone', () => deps.setup);
  serve(app, contract.createPaymentIntent, { guard: 'buyer', limits: PURCHASES }, ({ viewer, body, idempotencyKey }) =>
    createPaymentIntentOnce(deps, viewer, body, idempotencyKey),
  );
  serve(
    app,
    contract.recordPayment,
    { guard: 'buyer', limits: [perAccount(120), perNetwork(600)] },
    async ({ viewer, body, idempotencyKey, reply }) => {
      const answer = await recordPaymentOnce(deps, viewer, body, idempotencyKey);
      if (answer.insertedId === null) reply.status(202);
      return answer;
    },
  );
  serve(app, cancelBookingCall, 'buyer', ({ viewer, params }) => cancelBooking(deps, viewer, params.id));
};
