import { lockBooking, readTidings } from '#server/bookings/booking.service.ts';
import { postDisputeClosed, postDisputeOpened } from '#server/ledger/ledger.service.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { closeDispute, insertDispute, listAdmins, setDisputeDue } from './dispute.queries.ts';
import { findPaymentOf } from '#server/payments/intents/payment.queries.ts';
import type { DisputeFacts } from '#server/payments/provider.ts';

/** What was new about a dispute. */
export type DisputeTaken = 'unknown' | 'nothing' | 'opened' | 'won' | 'lost';

/**
 * Takes down what the provider says of a dispute now, any number of times and in any order: its money is set aside when
 * it is first heard of, and released or lost when it is closed. Admins are told of both. `unknown` when its payment is
 * not ours.
 */
export const takeDispute = async (trx: Trx, facts: DisputeFacts): Promise<DisputeTaken> => {
  const named = await findPaymentOf(trx, facts.intentId);
  const booking = named && (await lockBooking(trx, named.bookingId));
  const payment = booking && (await findPaymentOf(trx, facts.intentId));
  if (booking === undefined || payment === undefined) return 'unknown';
  const { id, amountCents, reason, state, dueBy } = facts;
  const tidings = await readTidings(trx, booking.id);
  const paid = {
    paymentId: payment.id,
    bookingId: booking.id,
    sellerId: tidings.sellerId,
    amountCents: payment.amountCents,
  };
  const tell = async (news: DisputeFacts['state']): Promise<void> => {
    const data = {
      title: tidings.title,
      priceCents: amountCents,
      bookingId: booking.id,
      reason,
      state: news,
      dueBy: dueBy?.toISOString() ?? null,
    };
    for (const admin of await listAdmins(trx)) {
      await queueMail(trx, { kind: 'dispute', key: `dispute:${id}:${news}:${admin.id}`, to: admin, data });
    }
  };
  const isNew = await insertDispute(trx, { id, paymentId: payment.id, amountCents, reason, dueBy });
  if (!isNew && dueBy !== null) await setDisputeDue(trx, id, dueBy);
  if (isNew) {
    const isRefunded = payment.refundedCents === payment.amountCents;
    await postDisputeOpened(trx, paid, { id, amountCents, isRefunded });
    await tell('open');
  }
  if (state === 'open' || !(await closeDispute(trx, id, state))) return isNew ? 'opened' : 'nothing';
  await postDisputeClosed(trx, paid, { id, amountCents, won: state === 'won' });
  await tell(state);
  return state;
};
