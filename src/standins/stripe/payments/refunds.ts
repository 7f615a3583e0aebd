import type Stripe from 'stripe';
import type { Call, Deed } from '#standins/stripe/api/call.ts';
import { balanceOf, book, PLATFORM } from '#standins/stripe/connect/books.ts';
import { chargeWithRefunds } from './charges.ts';
import { emit } from '#standins/stripe/store/events.ts';
import { invalidRequest, noSuch, StripeFailure } from '#standins/stripe/api/failure.ts';
import { newId, nowSeconds } from '#standins/stripe/api/ids.ts';
import { listPage } from '#standins/stripe/api/lists.ts';
import { integer, mergedMetadata, oneOf, onlyKnown, text } from '#standins/stripe/api/params.ts';

const REASONS = ['duplicate', 'fraudulent', 'requested_by_customer'] as const;
const KNOWN: ReadonlySet<string> = new Set(['amount', 'charge', 'expand', 'metadata', 'payment_intent', 'reason']);

/** The charge to give back: named, or the one that paid the named intent. */
function chargeOf({ trx, params }: Call): Stripe.Charge {
  const chargeId = text(params, 'charge');
  const intentId = text(params, 'payment_intent');
  if (chargeId !== undefined) {
    const charge = trx.get('charges', chargeId);
    if (charge === undefined) throw noSuch('charge', chargeId, 'charge');
    return charge;
  }
  if (intentId === undefined) {
    throw invalidRequest('One of the following params should be provided for this request: payment_intent or charge.');
  }
  const row = trx.get('payment_intents', intentId);
  if (row === undefined) throw noSuch('payment_intent', intentId, 'payment_intent');
  const charge = trx.get('charges', String(row.intent.latest_charge));
  if (charge === undefined) {
    const message = `This PaymentIntent (${intentId}) does not have a successful charge to refund.`;
    throw invalidRequest(message, { code: 'payment_intent_unexpected_state', param: 'payment_intent' });
  }
  return charge;
}

function refused(code: string | undefined, message: string): StripeFailure {
  return new StripeFailure(
    400,
    { type: 'invalid_request_error', message, ...(code === undefined ? {} : { code }) },
    true,
  );
}

/** A dispute has the money already, unless the shop won it. */
function wasWon({ trx }: Call, charge: Stripe.Charge): boolean {
  return trx.newestFirst('disputes').some((dispute) => dispute.charge === charge.id && dispute.status === 'won');
}

/** `POST /v1/refunds`: gives back all that is left of a charge, or a part of it; never more than was paid. */
export function createRefund(call: Call): object {
  const { params, trx } = call;
  onlyKnown(params, KNOWN);
  const reason = oneOf(params, 'reason', REASONS) ?? null;
  const charge = chargeOf(call);
  if (!charge.paid) throw refused(undefined, `Charge ${charge.id} has not been paid.`);
  if (charge.disputed && !wasWon(call, charge)) {
    throw refused('charge_disputed', `Charge ${charge.id} has been charged back; cannot issue a refund.`);
  }
  const left = charge.amount - charge.amount_refunded;
  if (left === 0) throw refused('charge_already_refunded', `Charge ${charge.id} has already been refunded.`);
  const amount = integer(params, 'amount') ?? left;
  if (amount < 1) {
    throw invalidRequest('Invalid positive integer', { code: 'parameter_invalid_integer', param: 'amount' });
  }
  if (amount > left) {
    const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;
    throw refused(
      undefined,
      `Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(left)})`,
    );
  }
  const draft: Stripe.Refund = {
    id: newId('re'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: nowSeconds(),
    currency: charge.currency,
    customer: null,
    customer_account: null,
    destination_details: {
      card: { type: 'refund', reference_status: 'pending', reference_type: 'acquirer_reference_number' },
      type: 'card',
    },
    metadata: mergedMetadata(params),
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'pending',
    transfer_reversal: null,
  };
  const refund = paidBack(call, draft) ?? draft;
  const after: Stripe.Charge = {
    ...charge,
    amount_refunded: charge.amount_refunded + amount,
    refunded: left === amount,
  };
  trx.put('refunds', refund.id, refund);
  trx.put('charges', after.id, after);
  emit(call, 'refund.created', refund);
  emit(call, 'charge.refunded', chargeWithRefunds(call, after));
  return refund;
}

/** The refund once the shop's available balance covers it; undefined while it does not. */
function paidBack(deed: Deed, refund: Stripe.Refund): Stripe.Refund | undefined {
  if (balanceOf(deed.trx, PLATFORM).available < refund.amount) return undefined;
  const out = book(deed, PLATFORM, { amount: -refund.amount, type: 'refund', source: refund.id });
  return { ...refund, balance_transaction: out.id, status: 'succeeded' };
}

/** Pays what waited for the shop's balance, the oldest first; answers whether there was anything. */
export function payWaitingRefunds(deed: Deed): boolean {
  const waiting = deed.trx.newestFirst('refunds').filter(({ status }) => status === 'pending');
  const paid = waiting.reverse().flatMap((refund) => paidBack(deed, refund) ?? []);
  for (const refund of paid) {
    deed.trx.put('refunds', refund.id, refund);
    emit(deed, 'refund.updated', refund);
  }
  return paid.length > 0;
}

/** The customer's bank sends a refund back, days later: the charge is as if it had not been made. */
export function failRefund(deed: Deed, id: string): Stripe.Refund {
  const before = deed.trx.get('refunds', id);
  const charge = deed.trx.get('charges', String(before?.charge));
  if (before === undefined || charge === undefined) throw noSuch('refund', id);
  if (before.status === 'failed') throw refused(undefined, `Refund ${id} has failed already.`);
  const back =
    before.status === 'pending'
      ? null
      : book(deed, PLATFORM, { amount: before.amount, type: 'refund_failure', source: id }).id;
  const refund: Stripe.Refund = {
    ...before,
    ...(back !== null && { failure_balance_transaction: back }),
    failure_reason: 'lost_or_stolen_card',
    status: 'failed',
  };
  deed.trx.put('refunds', id, refund);
  deed.trx.put('charges', charge.id, {
    ...charge,
    amount_refunded: charge.amount_refunded - refund.amount,
    refunded: false,
  });
  emit(deed, 'refund.failed', refund);
  return refund;
}

export function retrieveRefund({ trx, id }: Call): object {
  const refund = trx.get('refunds', id);
  if (refund === undefined) throw noSuch('refund', id);
  return refund;
}

export function listRefunds({ trx, params }: Call): object {
  const intentId = text(params, 'payment_intent');
  const chargeId = text(params, 'charge');
  const rows = trx
    .newestFirst('refunds')
    .filter((row) => intentId === undefined || row.payment_intent === intentId)
    .filter((row) => chargeId === undefined || row.charge === chargeId);
  return listPage(rows, params, '/v1/refunds', 'refund');
}
