import { postRefundByBank, postRefundOwedAgain } from '#server/ledger/refund-postings.service.ts';
import type { Payment } from '#server/payments/intents/payment.queries.ts';
import { paidOf } from '#server/payments/settlement/paid.ts';
import { amountOf, leftOf, replace } from './refund-sums.service.ts';
import { recordBack, type Taking } from './refund-record.service.ts';
import { setOwedAgain, setPaidByBank, type Refund } from './refund.queries.ts';

/** Refunds of a payment that were decided and not sent. */
const listUnsent = (refunds: readonly Refund[], payment: Payment): Refund[] =>
  refunds.filter(
    ({ paymentId, state, amountCents }) =>
      paymentId === payment.id && amountCents !== null && (state === 'requested' || state === 'failed'),
  );

const centsOf = (refund: Refund, payment: Payment): number => {
  const { priceCents, postageCents } = amountOf(refund, payment);
  return priceCents + postageCents;
};

/** How much of a payment was to be refunded and is not sent, in cents. */
export const unsentOf = (refunds: readonly Refund[], payment: Payment): number =>
  listUnsent(refunds, payment).reduce((sum, refund) => sum + centsOf(refund, payment), 0);

/**
 * The buyer's bank took more of a payment than was left beside its refunds: what was to be refunded and is not sent
 * went to the buyer by that, and nobody sends it any more.
 */
export const takeLoss = async (
  taking: Taking,
  payment: Payment,
  loss: { disputeId: string; cents: number },
): Promise<void> => {
  const { trx, money } = taking;
  const { disputeId } = loss;
  const left = leftOf(money.refunds, payment);
  let rest = loss.cents - left.priceCents - left.postageCents;
  for (const refund of listUnsent(money.refunds, payment)) {
    const cents = centsOf(refund, payment);
    if (cents > rest) continue;
    rest -= cents;
    replace(money, await setPaidByBank(trx, refund.id, disputeId));
    await postRefundByBank(trx, await paidOf(trx, payment), { id: refund.id, disputeId, cents });
    await recordBack(taking, payment, { isTold: true });
  }
};

/** An appeal took back what a bank had paid instead of the shop: the shop sends it. */
export const takeAppeal = async ({ trx, money }: Taking, payment: Payment, disputeId: string): Promise<void> => {
  const paid = money.refunds.filter((refund) => refund.paymentId === payment.id && refund.disputeId === disputeId);
  for (const refund of paid) {
    const cents = centsOf(refund, payment);
    await postRefundOwedAgain(trx, await paidOf(trx, payment), { id: refund.id, disputeId, cents });
    replace(money, await setOwedAgain(trx, refund));
  }
};
