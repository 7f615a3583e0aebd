import { recordAudit } from '#server/audit/audit.service.ts';
import { findBooking, lockBooking } from '#server/bookings/booking.service.ts';
import { lockActingAdmin } from '#server/identity/acting-admin.service.ts';
import { crashPoint } from '#server/platform/crash-points.ts';
import type { Db } from '#server/platform/db.ts';
import { notFound, Refusal } from '#server/platform/errors.ts';
import { requireAdmin, type Viewer } from '#server/platform/viewer.ts';
import {
  findPaymentOf,
  findRefund,
  findSale,
  hasDispute,
  insertRefund,
  reopenRefund,
  saveRefundId,
  takeOpenRefunds,
} from './payment.queries.ts';
import type { PaymentDeps } from './payment.service.ts';
import { ProviderRefused, type RefundFacts } from './provider.ts';
import { recordGivenBack, recordNotGivenBack, REFUND_FAILED_SAYS } from './refund-record.service.ts';

/** A refund that somebody began to ask for is taken up by another process after this long. */
const LEASE_SECONDS = 30;
const BATCH = 20;

/** Writes the refund of a booking's payment down before the provider is asked; answers the payment's intent, or null when it is done. */
const begin = (db: Db, viewer: Viewer, bookingId: string): Promise<string | null> =>
  db.transaction().execute(async (trx) => {
    const actorId = await lockActingAdmin(trx, viewer);
    const booking = await lockBooking(trx, bookingId);
    const payment = booking && (await findSale(trx, booking.id));
    if (booking === undefined) throw notFound();
    if (payment === undefined) throw new Refusal('not_paid', 'This booking is not paid: there is nothing to give back');
    const refund = await findRefund(trx, payment.id);
    if (refund?.state === 'done') return null;
    if (await hasDispute(trx, payment.id)) {
      throw new Refusal(
        'disputed',
        'The buyer’s bank is deciding about this payment, or has decided: it cannot be refunded',
      );
    }
    if (await insertRefund(trx, { paymentId: payment.id, reason: 'admin', requestedBy: actorId })) {
      const details = { amountCents: payment.amountCents, intent: payment.providerId };
      await recordAudit(trx, {
        actorId,
        action: 'booking refunded',
        subject: { kind: 'booking', id: bookingId },
        details,
      });
    } else {
      await reopenRefund(trx, payment.id);
    }
    return payment.providerId;
  });

const asked = async (deps: PaymentDeps, intentId: string): Promise<RefundFacts | ProviderRefused> => {
  try {
    return await deps.provider.refund(intentId);
  } catch (error) {
    if (error instanceof ProviderRefused) return error;
    throw error;
  }
};

/** Asks the provider to give back and takes its answer down; the same key however often, so that it gives back once. */
const send = async (deps: PaymentDeps, intentId: string): Promise<'done' | 'failed'> => {
  const answer = await asked(deps, intentId);
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
    await saveRefundId(trx, payment.id, answer.id);
  });
  return 'done';
};

/**
 * Gives a paid booking's money back in full, for an admin: once, however often asked, and also when the first answer was
 * lost. 409 when it is not paid, its payment is disputed or the provider refuses, 502 when the provider does not answer; the sweep finishes it then.
 */
export const refundBooking = async (
  deps: PaymentDeps,
  viewer: Viewer,
  bookingId: string,
): Promise<{ refundedAt: string }> => {
  requireAdmin(viewer);
  const intentId = await begin(deps.db, viewer, bookingId);
  if (intentId !== null && (await send(deps, intentId)) === 'failed') {
    throw new Refusal('refund_refused', 'The payment service will not give this money back; the differences say why');
  }
  const booking = await findBooking(deps.db, bookingId);
  return { refundedAt: (booking?.refundedAt ?? new Date()).toISOString() };
};

/** Finishes refunds whose answer was lost or that nobody has asked for yet; answers how many were done. */
export const finishRefunds = async (
  deps: PaymentDeps,
  onError: (error: unknown, intentId: string) => void,
): Promise<number> => {
  let done = 0;
  for (const { intentId } of await takeOpenRefunds(deps.db, LEASE_SECONDS, BATCH)) {
    try {
      if ((await send(deps, intentId)) === 'done') done += 1;
    } catch (error) {
      onError(error, intentId);
    }
  }
  return done;
};
