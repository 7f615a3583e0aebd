import type Stripe from 'stripe';
import type { Call } from '#standins/stripe/api/call.ts';
import { type DeclineName, declineNamed } from '#standins/stripe/cards/declines.ts';
import { noSuch } from '#standins/stripe/api/failure.ts';
import { newId, nowSeconds } from '#standins/stripe/api/ids.ts';
import { listPage } from '#standins/stripe/api/lists.ts';
import { text } from '#standins/stripe/api/params.ts';
import { cardChecks, fingerprintOf } from '#standins/stripe/cards/payment-methods.ts';
import type { MethodRow } from '#standins/stripe/store/tables.ts';

function outcomeOf(decline: DeclineName | null): Stripe.Charge.Outcome {
  const base = { advice_code: null, network_advice_code: null, network_decline_code: null };
  if (decline === null) {
    return {
      ...base,
      network_status: 'approved_by_network',
      reason: null,
      risk_level: 'normal',
      seller_message: 'Payment complete.',
      type: 'authorized',
    };
  }
  const { code, declineCode, adviceCode } = declineNamed(decline);
  return {
    ...base,
    advice_code: adviceCode ?? null,
    network_status: decline === 'fraudulent' ? 'not_sent_to_network' : 'declined_by_network',
    reason: declineCode ?? code,
    risk_level: decline === 'fraudulent' ? 'highest' : 'normal',
    seller_message: 'The bank did not return any further details with this decline.',
    type: decline === 'fraudulent' ? 'blocked' : 'issuer_declined',
  };
}

function cardDetails({ method, card }: MethodRow, intent: Stripe.PaymentIntent, authenticated: boolean) {
  return {
    amount_authorized: intent.amount,
    authorization_code: null,
    brand: card.brand,
    checks: cardChecks(card, method.billing_details),
    country: card.country,
    electronic_commerce_indicator: null,
    exp_month: card.expMonth,
    exp_year: card.expYear,
    extended_authorization: { status: 'disabled' },
    fingerprint: fingerprintOf(card),
    funding: card.funding,
    incremental_authorization: { status: 'unavailable' },
    installments: null,
    last4: card.last4,
    mandate: null,
    multicapture: { status: 'unavailable' },
    network: card.brand,
    network_token: { used: false },
    network_transaction_id: null,
    overcapture: { maximum_amount_capturable: intent.amount, status: 'unavailable' },
    regulated_status: 'unregulated',
    three_d_secure: authenticated ? CHALLENGE_PASSED : null,
    transaction_link_id: null,
    wallet: null,
  } satisfies Stripe.Charge.PaymentMethodDetails.Card;
}

const CHALLENGE_PASSED = {
  authentication_flow: 'challenge',
  electronic_commerce_indicator: '05',
  exemption_indicator: null,
  result: 'authenticated',
  result_reason: null,
  transaction_id: null,
  version: '2.2.0',
} as const satisfies Stripe.Charge.PaymentMethodDetails.Card.ThreeDSecure;

/** The charge that an attempt to pay leaves behind, paid or refused. */
export function newCharge(
  intent: Stripe.PaymentIntent,
  row: MethodRow,
  { authenticated, decline }: { authenticated: boolean; decline: DeclineName | null },
): Stripe.Charge {
  const refusal = decline === null ? null : declineNamed(decline);
  const paid = refusal === null;
  return {
    id: newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: row.method.billing_details,
    calculated_statement_descriptor: 'DOGEAR',
    captured: paid,
    created: nowSeconds(),
    currency: intent.currency,
    customer: null,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: refusal?.code ?? null,
    failure_message: refusal?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: outcomeOf(decline),
    paid,
    payment_intent: intent.id,
    payment_method: row.method.id,
    payment_method_details: { card: cardDetails(row, intent, authenticated), type: 'card' },
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: paid ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: intent.transfer_group,
  };
}

/** A charge as it is told, with its refunds beneath it. */
export function chargeWithRefunds({ trx }: Pick<Call, 'trx'>, charge: Stripe.Charge): Stripe.Charge {
  const data = trx.newestFirst('refunds').filter((refund) => refund.charge === charge.id);
  const url = `/v1/charges/${charge.id}/refunds`;
  return { ...charge, refunds: { object: 'list', data, has_more: false, url } };
}

export function retrieveCharge(call: Call): object {
  const charge = call.trx.get('charges', call.id);
  if (charge === undefined) throw noSuch('charge', call.id);
  return chargeWithRefunds(call, charge);
}

export function listCharges({ trx, params }: Call): object {
  const intentId = text(params, 'payment_intent');
  const rows = trx.newestFirst('charges').filter((row) => intentId === undefined || row.payment_intent === intentId);
  return listPage(rows, params, '/v1/charges', 'charge');
}
