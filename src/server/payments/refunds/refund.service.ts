import { recordAudit } from '#server/audit/audit.service.ts';
import { findBooking } from '#server/bookings/booking.service.ts';
import { lockActingAdmin } from '#server/identity/users/acting-admin.service.ts';
import { crashPoint } from '#server/platform/crash-points.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { notFound, AppError } from '#server/platform/errors.ts';
import { requireAdmin, type Viewer } from '#server/platform/viewer.ts';
import { findPayment, findSale, type Payment } from '#server/payments/intents/payment.queries.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';
import { ProviderRefused, type RefundFacts, type RefundToSend } from '#server/payments/provider.ts';
import { askBack, recordNotGivenBack, takeRefunds } from './refund-record.service.ts';
import { leftOf, lockMoney, requireUndisputed, type LockedMoney } from './refund-sums.service.ts';
import { listRefundsOf, reopenRefund, takeOpenRefunds, type Refund } from './refund.queries.ts';

/** A refund that somebody began to ask for is taken up by another process after this long. */
const LEASE_SECONDS = 30;
const BATCH = 20;

/** Takes up what is not done of a payment's refunds: what failed is tried again by the intent's next number. */
const takeUp = async (trx: Trx, { refunds }: LockedMoney, payment: Payment): Promise<Refund[]> => {
  const open = refunds.filter(({ paymentId, state }) => paymentId === payment.id && state !== 'done');
  return Promise.all(open.map((refund) => (refund.state === 'failed' ? reopenRefund(trx, refund) : refund)));
};

/**
 * Writes the refund of all that is left of a booking's payment down before the provider is asked; answers what to ask
 * for, nothing when it is done.
 */
const begin = (deps: PaymentDeps, viewer: Viewer, bookingId: string): Promise<RefundToSend[]> =>
  deps.db.transaction().execute(async (trx) => {
    const actorId = await lockActingAdmin(trx, viewer);
    const booking = await findBooking(trx, bookingId);
    const sale = booking && (await findSale(trx, booking.id));
    if (booking === undefined) throw notFound();
    if (sale === undefined) throw new AppError('not_paid', 'This booking is not paid: there is nothing to give back');
    const money = await lockMoney(trx, sale.providerId);
    const payment = money.payments.find(({ id }) => id === sale.id) ?? sale;
    const left = leftOf(money.refunds, payment);
    const cents = left.priceCents + left.postageCents;
    if (cents === 0 && payment.refundedCents === payment.amountCents && isAllDone(money, payment)) return [];
    await requireUndisputed(trx, payment.id);
    if (cents > 0) {
      await askBack(trx, money, payment, { ...left, reason: 'admin', borneBy: 'shop', requestedBy: actorId });
      const details = { amountCents: cents, intent: payment.providerId };
      const subject = { kind: 'booking', id: bookingId } as const;
      await recordAudit(trx, { actorId, action: 'booking refunded', subject, details });
      await deps.hooks.refundAsked(trx, { bookingId, by: actorId });
    }
    return takeUp(trx, money, payment);
  });

const isAllDone = ({ refunds }: LockedMoney, payment: Payment): boolean =>
  refunds.every(({ paymentId, state }) => paymentId !== payment.id || state === 'done');

/** The same for a payment whose refund the shop itself had begun: money that came for a lost copy and must not stay. */
const beginRetry = (db: Db, viewer: Viewer, paymentId: string): Promise<RefundToSend[]> =>
  db.transaction().execute(async (trx) => {
    const actorId = await lockActingAdmin(trx, viewer);
    const payment = await findPayment(trx, paymentId);
    if (payment === undefined) throw notFound();
    const money = await lockMoney(trx, payment.providerId);
    const own = money.refunds.filter((refund) => refund.paymentId === payment.id);
    if (own.length === 0) throw new AppError('not_paid', 'No refund of this payment was begun');
    if (isAllDone(money, payment)) return [];
    await requireUndisputed(trx, payment.id);
    const open = await takeUp(trx, money, payment);
    for (const { n, amountCents } of open.filter(({ id }) => own.find((was) => was.id === id)?.state === 'failed')) {
      await recordAudit(trx, {
        actorId,
        action: 'refund tried again',
        subject: { kind: 'payment', id: payment.id },
        details: { amountCents: amountCents ?? payment.amountCents, intent: payment.providerId, n },
      });
    }
    return open;
  });

const asked = async (deps: PaymentDeps, refund: RefundToSend): Promise<RefundFacts | ProviderRefused> => {
  try {
    return await deps.provider.refund(refund);
  } catch (error) {
    if (error instanceof ProviderRefused) return error;
    throw error;
  }
};

/** Asks the provider to give back and takes its answer down; the same key however often, so that it gives back once. */
const send = async (deps: PaymentDeps, refund: RefundToSend): Promise<RefundFacts['state']> => {
  const { intentId } = refund;
  const answer = await asked(deps, refund);
  crashPoint('refund-sent');
  if (answer instanceof ProviderRefused || answer.state === 'failed') {
    const refusal =
      answer instanceof ProviderRefused
        ? ({ kind: 'refund-refused', message: answer.message } as const)
        : ({ kind: 'refund-failed', message: '' } as const);
    deps.alert('money could not be given back', { intentId, ...refusal });
    await deps.db.transaction().execute(async (trx) => {
      const money = await lockMoney(trx, intentId);
      const row = money.refunds.find(({ id, n }) => id === refund.id && n === refund.n);
      if (row !== undefined) await recordNotGivenBack(trx, money, row, refusal);
    });
    return 'failed';
  }
  // Where the row was begun before refunds had parts, what the provider lists has no name of ours.
  const facts = { ...answer, ours: { refundId: refund.id, n: refund.n } };
  await deps.db.transaction().execute((trx) => takeRefunds(trx, { intentId, refunds: [facts] }, deps.hooks));
  return answer.state;
};

const sendOrRefuse = async (deps: PaymentDeps, refunds: readonly RefundToSend[]): Promise<void> => {
  for (const refund of refunds) {
    if ((await send(deps, refund)) === 'failed') {
      throw new AppError(
        'refund_refused',
        'The payment service will not give this money back; the differences say why',
      );
    }
  }
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
  await sendOrRefuse(deps, await begin(deps, viewer, bookingId));
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
  const refunds = await listRefundsOf(deps.db, [paymentId]);
  return { refundedAt: (refunds.at(-1)?.doneAt ?? new Date()).toISOString() };
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
