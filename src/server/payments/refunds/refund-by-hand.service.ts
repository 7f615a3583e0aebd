import { referenceProblems } from '#contract/money/references.ts';
import { oneLine } from '#contract/text.ts';
import { recordAudit } from '#server/audit/audit.service.ts';
import { readTidings } from '#server/bookings/booking.service.ts';
import { lockActingAdmin } from '#server/identity/users/acting-admin.service.ts';
import { postRefundByHand } from '#server/ledger/refund-postings.service.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import { findPayment, type Payment } from '#server/payments/intents/payment.queries.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';
import { paidOf } from '#server/payments/settlement/paid.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { AppError, badFields, notFound } from '#server/platform/errors.ts';
import { requireAdmin, type Viewer } from '#server/platform/viewer.ts';
import { amountOf, lockMoney, ofOrder, replace, requireUndisputed } from './refund-sums.service.ts';
import { recordBack, type Taking } from './refund-record.service.ts';
import { setPaidByHand, type Refund } from './refund.queries.ts';

const tell = async (trx: Trx, payment: Payment, refund: { id: string; cents: number; reference: string }) => {
  const { title, buyer, orderId } = await readTidings(trx, payment.bookingId);
  if (buyer === undefined) return;
  await queueMail(trx, {
    kind: 'refunded',
    key: `refunded-otherwise:${refund.id}`,
    to: buyer,
    data: {
      title,
      priceCents: refund.cents,
      bookingId: payment.bookingId,
      otherwise: refund.reference,
      ...ofOrder(payment, orderId),
    },
  });
};

/** The operator has paid a refund in another way: what is owed to the buyer went out of the operator's own bank. */
const record = async (taking: Taking, payment: Payment, refund: Refund, reference: string): Promise<number> => {
  const { trx, money } = taking;
  const { priceCents, postageCents } = amountOf(refund, payment);
  const cents = priceCents + postageCents;
  replace(money, await setPaidByHand(trx, refund.id, reference));
  await postRefundByHand(trx, await paidOf(trx, payment), { id: refund.id, n: refund.n, cents });
  await tell(trx, payment, { id: refund.id, cents, reference });
  return cents;
};

/**
 * Takes down that an admin paid what the provider could not give back of a payment in another way, and tells the buyer;
 * once, however often it is told. The seller bears what they bore when it was decided. 404 for no payment, 409
 * `not_paid` where none of its refunds has failed, `disputed` where a bank decides.
 */
export const payOtherwise = async (
  deps: Pick<PaymentDeps, 'db' | 'hooks'>,
  viewer: Viewer,
  input: { paymentId: string; reference: string },
): Promise<{ refundedAt: string }> => {
  requireAdmin(viewer);
  const reference = oneLine(input.reference);
  const problems = referenceProblems({ reference });
  if (Object.keys(problems).length > 0) throw badFields(problems);
  return deps.db.transaction().execute(async (trx) => {
    const actorId = await lockActingAdmin(trx, viewer);
    const named = await findPayment(trx, input.paymentId);
    if (named === undefined) throw notFound();
    const money = await lockMoney(trx, named.providerId);
    const payment = money.payments.find(({ id }) => id === named.id) ?? named;
    const own = money.refunds.filter(({ paymentId }) => paymentId === payment.id);
    const failed = own.filter(({ state }) => state === 'failed');
    const before = own.find(({ byHand }) => byHand !== null);
    if (failed.length === 0) {
      if (before?.doneAt != null) return { refundedAt: before.doneAt.toISOString() };
      throw new AppError('not_paid', 'No refund of this payment has failed: there is nothing to pay another way');
    }
    await requireUndisputed(trx, payment.id);
    const taking = { trx, money, hooks: deps.hooks };
    let cents = 0;
    for (const refund of failed) cents += await record(taking, payment, refund, reference);
    await recordBack(taking, payment, { isTold: true });
    await recordAudit(trx, {
      actorId,
      action: 'refund paid otherwise',
      subject: { kind: 'payment', id: payment.id },
      details: { amountCents: cents, intent: payment.providerId, reference },
    });
    const done = money.refunds.find(({ id }) => id === failed[0]?.id);
    return { refundedAt: (done?.doneAt ?? new Date()).toISOString() };
  });
};
