import type { FastifyInstance } from 'fastify';
import { cancelBooking as cancelBookingCall } from '#contract/bookings.ts';
import * as contract from '#contract/payments.ts';
import { serve } from '#server/http/serve.ts';
import { createPaymentIntent, recordPayment, type PaymentDeps } from './payment.service.ts';
import { cancelBooking } from './release.service.ts';

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
  serve(app, contract.createPaymentIntent, 'viewer', ({ viewer, body }) => createPaymentIntent(deps, viewer, body));
  serve(app, contract.recordPayment, 'viewer', async ({ viewer, body, reply }) => {
    const answer = await recordPayment(deps, viewer, body);
    if (answer.insertedId === null) reply.status(202);
    return answer;
  });
  serve(app, cancelBookingCall, 'viewer', ({ viewer, params }) => cancelBooking(deps, viewer, params.id));
};
