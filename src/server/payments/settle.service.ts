import { mailPaid } from '#server/bookings/booking-mails.service.ts';
import { lockBooking, payBooking } from '#server/bookings/booking.service.ts';
import type { Trx } from '#server/platform/db.ts';
import { Refusal } from '#server/platform/errors.ts';
import { findIntent, findPayment, insertPayment, markIntent, saveProviderId } from './intent.queries.ts';
import type { IntentFacts } from './provider.ts';

const notPaid = (): Refusal => new Refusal('not_paid', 'This payment does not pay for this booking');

/**
 * Turns money that the provider confirmed into a paid booking and a sold copy, once, however often and by whichever way it
 * is told: the webhook, `POST /payments` or the sweep of lapsed holds. `facts` must come from the provider, not from a caller.
 * Under the booking's row lock and without network. Answers the id of the one payment.
 */
export const settle = async (trx: Trx, facts: IntentFacts): Promise<string> => {
  if (facts.status !== 'succeeded') throw notPaid();
  const booking = facts.bookingId === '' ? undefined : await lockBooking(trx, facts.bookingId);
  const intent = booking && (await findIntent(trx, booking.id, facts.n));
  if (booking === undefined || intent === undefined) throw notPaid();
  if (intent.providerId !== null && intent.providerId !== facts.id) throw notPaid();
  const payment = await findPayment(trx, booking.id);
  if (payment !== undefined) {
    if (payment.providerId === facts.id) return payment.id;
    throw new Refusal('already_paid', 'This booking is paid already');
  }
  if (intent.amountCents !== facts.amountCents || intent.currency !== facts.currency) throw notPaid();
  await saveProviderId(trx, intent, facts.id);
  await markIntent(trx, intent, 'succeeded');
  const id = await insertPayment(trx, {
    bookingId: booking.id,
    providerId: facts.id,
    amountCents: facts.amountCents,
    currency: facts.currency,
  });
  // A hold is only released after its intent was cancelled, so money cannot meet a copy that is gone; were it to, nothing is kept.
  if (!(await payBooking(trx, booking))) {
    throw new Error(`intent ${facts.id} took money for a copy that its booking does not hold`);
  }
  await mailPaid(trx, booking.id, facts.id);
  return id;
};
