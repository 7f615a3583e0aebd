import { readTidings } from '#server/bookings/booking.service.ts';
import { postDisputeClosed, postDisputeOpened } from '#server/ledger/ledger.service.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import {
  closeDispute,
  escalateInquiry,
  hasOpenDispute,
  insertDispute,
  insertDisputeShares,
  listAdmins,
  listDisputeShares,
  setDisputeDue,
} from './dispute.queries.ts';
import type { Payment } from '#server/payments/intents/payment.queries.ts';
import type { MoneyHooks } from '#server/payments/payments.service.ts';
import type { DisputeFacts } from '#server/payments/provider.ts';
import { askedOf, leftOf, lockMoney } from '#server/payments/refunds/refund-record.service.ts';
import type { Refund } from '#server/payments/refunds/refund.queries.ts';
import { paidOf } from '#server/payments/settlement/paid.ts';

/** What was new about a dispute. */
export type DisputeTaken = 'unknown' | 'nothing' | 'opened' | 'won' | 'lost';

/**
 * Takes down what the provider says of a dispute now, any number of times and in any order: its money is set aside
 * when it is first heard of, and released or lost when it is closed. An inquiry takes no money until it becomes a
 * chargeback, and may be ended by a refund. Admins are told of both. `unknown` when its payment is not ours.
 */
export const takeDispute = async (trx: Trx, facts: DisputeFacts, hooks: MoneyHooks): Promise<DisputeTaken> => {
  const { payments, refunds } = await lockMoney(trx, facts.intentId);
  const [first] = payments;
  if (first === undefined) return 'unknown';
  const { id, amountCents, reason, state, dueBy } = facts;
  const tidings = await readTidings(trx, first.bookingId);
  const bookingIds = payments.map(({ bookingId }) => bookingId);
  const tell = async (news: DisputeFacts['state']): Promise<void> => {
    const data = {
      title: tidings.title,
      priceCents: amountCents,
      bookingId: first.bookingId,
      reason,
      state: news,
      dueBy: dueBy?.toISOString() ?? null,
    };
    for (const admin of await listAdmins(trx)) {
      await queueMail(trx, {
        kind: 'dispute',
        key: `dispute:${id}:${isInquiry ? 'inquiry-' : ''}${news}:${admin.id}`,
        to: admin,
        data,
      });
    }
  };
  const isInquiry = facts.isInquiry === true;
  const isNew = await insertDispute(trx, { id, paymentId: first.id, amountCents, reason, dueBy, isInquiry });
  if (!isNew && dueBy !== null) await setDisputeDue(trx, id, dueBy);
  // What was asked about before is taken now.
  const isTaken = !isInquiry && (isNew || (await escalateInquiry(trx, id)));
  if (isTaken) {
    const shares = sharesOfDispute(amountCents, payments, refunds);
    await insertDisputeShares(trx, id, shares);
    for (const { payment, cents, refunded } of shares) {
      const paid = await paidOf(trx, payment);
      await postDisputeOpened(trx, paid, { reference: `${id}:${payment.id}`, amountCents: cents, refunded });
    }
  }
  if (isTaken || isNew) {
    await hooks.disputed(trx, { bookingIds, isInquiry });
    await tell('open');
  }
  if (state === 'open' || !(await closeDispute(trx, id, state))) return isTaken || isNew ? 'opened' : 'nothing';
  const won = state === 'won';
  for (const { paymentId, cents } of await listDisputeShares(trx, id)) {
    const payment = payments.find((each) => each.id === paymentId);
    if (payment === undefined) continue;
    const paid = await paidOf(trx, payment);
    // One of before disputes had shares is posted by its own name alone.
    await postDisputeClosed(trx, paid, { references: [`${id}:${payment.id}`, id], amountCents: cents, won });
  }
  // Another one of the same payment goes on.
  const isOver =
    !won ||
    !(await hasOpenDispute(
      trx,
      payments.map((payment) => payment.id),
    ));
  if (isOver) await hooks.disputeClosed(trx, { bookingIds, won });
  await tell(state);
  return state;
};

/**
 * What of a dispute each payment bears: what is left of it, the first first; what is more than all that, the first
 * bears.
 */
const sharesOfDispute = (amountCents: number, payments: readonly Payment[], refunds: readonly Refund[]) => {
  let rest = amountCents;
  const shares = payments.map((payment) => {
    const left = leftOf(refunds, payment);
    const cents = Math.min(rest, left.priceCents + left.postageCents);
    rest -= cents;
    return { payment, cents, refunded: askedOf(refunds, payment) };
  });
  return shares
    .map((share, at) => (at === 0 ? { ...share, cents: share.cents + rest } : share))
    .filter(({ cents }) => cents > 0);
};
