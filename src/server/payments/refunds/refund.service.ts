import { recordAudit } from '#server/audit/audit.service.ts';
import { findBooking, lockBooking } from '#server/bookings/booking.service.ts';
import { lockActingAdmin } from '#server/identity/users/acting-admin.service.ts';
import { crashPoint } from '#server/platform/crash-points.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { notFound, AppError } from '#server/platform/errors.ts';
import { requireAdmin, type Viewer } from '#server/platform/viewer.ts';
import { mendRefundDifferences } from '#server/payments/reconciliation/difference.queries.ts';
import {
  findPayment,
  findPaymentOf,
  findRefund,
  findSale,
  hasDispute,
  insertRefund,
  markRefundDone,
  reopenRefund,
  saveRefundId,
  takeOpenRefunds,
  type RefundToSend,
} from '#server/payments/intents/payment.queries.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';
import { ProviderRefused, type RefundFacts } from '#server/payments/provider.ts';
import { recordGivenBack, recordNotGivenBack, REFUND_FAILED_SAYS } from './refund-record.service.ts';

/** A refund that somebody began to ask for is taken up by another process after this long. */
const LEASE_SECONDS = 30;
const BATCH = 20;

const requireUndisputed = async (trx: Trx, paymentId: string): Promise<void> => {
  if (!(await hasDispute(trx, paymentId))) return;
  throw new AppError(
    'disputed',
    'The buyer’s bank is deciding about this payment, or has decided: it cannot be refunded',
  );
};

/**
 * Writes the refund of a booking's payment down before the provider is asked; answers what to ask for, or null when it
 * is done.
 */
const begin = (db: Db, viewer: Viewer, bookingId: string): Promise<RefundToSend | null> =>
  db.transaction().execute(async (trx) => {
    const actorId = await lockActingAdmin(trx, viewer);
    const booking = await lockBooking(trx, bookingId);
    const payment = booking && (await findSale(trx, booking.id));
    if (booking === undefined) throw notFound();
    if (payment === undefined)
      throw new AppError('not_paid', 'This booking is not paid: there is nothing to give back');
    const refund = await findRefund(trx, payment.id);
    if (refund?.state === 'done') return null;
    await requireUndisputed(trx, payment.id);
    const intentId = payment.providerId;
    if (await insertRefund(trx, { paymentId: payment.id, reason: 'admin', requestedBy: actorId })) {
      const details = { amountCents: payment.amountCents, intent: intentId };
      await recordAudit(trx, {
        actorId,
        action: 'booking refunded',
        subject: { kind: 'booking', id: bookingId },
        details,
      });
      return { intentId, n: 1 };
    }
    return { intentId, n: (await reopenRefund(trx, payment.id)) ?? refund?.n ?? 1 };
  });

/** The same for a payment whose refund the shop itself had begun: money that came for a lost copy and must not stay. */
const beginRetry = (db: Db, viewer: Viewer, paymentId: string): Promise<RefundToSend | null> =>
  db.transaction().execute(async (trx) => {
    const actorId = await lockActingAdmin(trx, viewer);
    const payment = await findPayment(trx, paymentId);
    const booking = payment && (await lockBooking(trx, payment.bookingId));
    if (booking === undefined || payment === undefined) throw notFound();
    const refund = await findRefund(trx, payment.id);
    if (refund === undefined) throw new AppError('not_paid', 'No refund of this payment was begun');
    if (refund.state === 'done') return null;
    await requireUndisputed(trx, payment.id);
    const intentId = payment.providerId;
    const n = await reopenRefund(trx, payment.id);
    if (n === undefined) return { intentId, n: refund.n };
    await recordAudit(trx, {
      actorId,
      action: 'refund tried again',
      subject: { kind: 'payment', id: payment.id },
      details: { amountCents: payment.amountCents, intent: intentId, n },
    });
    return { intentId, n };
  });

const asked = async (deps: PaymentDeps, { intentId, n }: RefundToSend): Promise<RefundFacts | ProviderRefused> => {
  try {
    return await deps.provider.refund(intentId, n);
  } catch (error) {
    if (error instanceof ProviderRefused) return error;
    throw error;
  }
};

/** Asks the provider to give back and takes its answer down; the same key however often, so that it gives back once. */
const send = async (deps: PaymentDeps, refund: RefundToSend): Promise<'done' | 'failed'> => {
  const { intentId } = refund;
  const answer = await asked(deps, refund);
  crashPoint('refund-sent');
  if (answer instanceof ProviderRefused || answer.isFailed) {
    const refusal =
      answer instanceof ProviderRefused
        ? ({ kind: 'refund-refused', says: `The provider refuses to give the money back: ${answer.message}` } as const)
        : ({ kind: 'refund-failed', says: REFUND_FAILED_SAYS } as const);
    deps.alert('money could not be given back', { intentId, ...refusal });
    await deps.db.transaction().execute((trx) => recordNotGivenBack(trx, { intentId, ...refusal }));
    return 'failed';
  }
  await deps.db.transaction().execute(async (trx) => {
    const payment = await findPaymentOf(trx, intentId);
    if (payment === undefined) return;
    await recordGivenBack(trx, { intentId, refundedCents: payment.amountCents });
    // Where the bank had sent an earlier one back, the books have it already.
    await markRefundDone(trx, payment.id);
    await mendRefundDifferences(trx, intentId);
    await saveRefundId(trx, payment.id, answer.id);
  });
  return 'done';
};

const sendOrRefuse = async (deps: PaymentDeps, refund: RefundToSend | null): Promise<void> => {
  if (refund === null || (await send(deps, refund)) === 'done') return;
  throw new AppError('refund_refused', 'The payment service will not give this money back; the differences say why');
};

/**
 * Gives a paid booking's money back in full, for an admin: once, however often asked, and also when the first answer
 * was lost. 409 when it is not paid, its payment is disputed or the provider refuses, 502 when the provider does not
 * answer; the sweep finishes it then.
 */
export const refundBooking = async (
  deps: PaymentDeps,
  viewer: Viewer,
  bookingId: string,
): Promise<{ refundedAt: string }> => {
  requireAdmin(viewer);
  await sendOrRefuse(deps, await begin(deps.db, viewer, bookingId));
  const booking = await findBooking(deps.db, bookingId);
  return { refundedAt: (booking?.refundedAt ?? new Date()).toISOString() };
};

/**
 * Tries a refund again that the provider had refused, for an admin: of money that came for a lost copy, which has no
 * sale to refund. Refuses as `refundBooking` does.
 */
export const retryRefund = async (
  deps: PaymentDeps,
  viewer: Viewer,
  paymentId: string,
): Promise<{ refundedAt: string }> => {
  requireAdmin(viewer);
  await sendOrRefuse(deps, await beginRetry(deps.db, viewer, paymentId));
  const refund = await findRefund(deps.db, paymentId);
  return { refundedAt: (refund?.doneAt ?? new Date()).toISOString() };
};

/** Finishes refunds whose answer was lost or that nobody has asked for yet; answers how many were done. */
export const finishRefunds = async (
  deps: PaymentDeps,
  onError: (error: unknown, intentId: string) => void,
): Promise<number> => {
  let done = 0;
  for (const refund of await takeOpenRefunds(deps.db, LEASE_SECONDS, BATCH)) {
    try {
      if ((await send(deps, refund)) === 'done') done += 1;
    } catch (error) {
      onError(error, refund.intentId);
    }
  }
  return done;
};
