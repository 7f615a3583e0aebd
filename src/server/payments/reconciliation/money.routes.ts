import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/money/money-admin.ts';
import { serve } from '#server/http/serve.ts';
import { listPayments, readMoneyState } from './money-state.service.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';
import { payOtherwise } from '#server/payments/refunds/refund-by-hand.service.ts';
import { refundBooking, retryRefund } from '#server/payments/refunds/refund.service.ts';

/**
 * What admins see and do about money: GET /money and /money/payments, POST /bookings/:id/refund and
 * /money/payments/:id/refund and /money/payments/:id/paid-otherwise.
 */
export const moneyRoutes = (app: FastifyInstance, deps: PaymentDeps): void => {
  serve(app, contract.readMoneyState, 'admin', ({ viewer }) => readMoneyState(deps.db, viewer));
  serve(app, contract.listPayments, 'admin', ({ viewer, query }) => listPayments(deps.db, viewer, query));
  serve(app, contract.refundBooking, 'admin', ({ viewer, params }) => refundBooking(deps, viewer, params.id));
  serve(app, contract.retryRefund, 'admin', ({ viewer, params }) => retryRefund(deps, viewer, params.id));
  serve(app, contract.payOtherwise, 'admin', ({ viewer, params, body }) =>
    payOtherwise(deps, viewer, { paymentId: params.id, ...body }),
  );
};
