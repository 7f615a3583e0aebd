import type Stripe from 'stripe';
import type { Call, Deed } from '#standins/stripe/api/call.ts';
import { bookCharge } from '#standins/stripe/connect/books.ts';
import { newCharge } from '#standins/stripe/payments/charges.ts';
import { type DeclineName, declineNamed } from './declines.ts';
import { openDispute } from '#standins/stripe/payments/disputes.ts';
import { emit } from '#standins/stripe/store/events.ts';
import { type FailureBody, invalidRequest, StripeFailure, unexpectedState } from '#standins/stripe/api/failure.ts';
import { newId, nowSeconds } from '#standins/stripe/api/ids.ts';
import { intentFor, intentOf } from '#standins/stripe/payments/intent-object.ts';
import { mustAllow } from '#standins/stripe/payments/intent-states.ts';
import { oneOf, requiredText } from '#standins/stripe/api/params.ts';
import { methodOf } from './payment-methods.ts';
import type { IntentRow, MethodRow, ProcessingOutcome } from '#standins/stripe/store/tables.ts';

const CANCEL_REASONS = ['duplicate', 'fraudulent', 'requested_by_customer', 'abandoned'] as const;

const AUTHENTICATION_FAILURE = {
  code: 'payment_intent_authentication_failure',
  doc_url: 'https://stripe.com/docs/error-codes/payment-intent-authentication-failure',
  message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
  type: 'invalid_request_error',
} as const;

/** `POST /v1/payment_intents/:id/confirm`: the one call that moves money, from a browser or a server. */
export function confirmIntent(call: Call): object {
  const row = intentOf(call);
  mustAllow('confirm', row.intent, call);
  return confirmRow(call, row, methodOf(call));
}

/** Confirms an intent with the given payment method, or else the one it already has. */
export function confirmRow(call: Call, { intent }: IntentRow, given: MethodRow | undefined): object {
  const known = typeof intent.payment_method === 'string' ? intent.payment_method : null;
  const method = given ?? (known === null ? undefined : call.trx.get('payment_methods', known));
  if (method === undefined) {
    const message =
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.";
    throw unexpectedState(message, intentFor(call, intent));
  }
  if (!method.card.challenge) return attempt(call, intent, method, false);
  return askForAuthentication(call, intent, method);
}

function askForAuthentication(call: Call, before: Stripe.PaymentIntent, method: MethodRow): object {
  const source = newId('payatt');
  const intent: Stripe.PaymentIntent = {
    ...before,
    last_payment_error: null,
    next_action: {
      type: 'use_stripe_sdk',
      use_stripe_sdk: {
        type: 'stripe_3ds2_fingerprint',
        directory_server_name: method.card.brand,
        three_d_secure_2_source: source,
      },
    },
    payment_method: method.method.id,
    status: 'requires_action',
  };
  call.trx.put('payment_intents', intent.id, { intent, challenge: { source } });
  emit(call, 'payment_intent.requires_action', intent);
  return intentFor(call, intent);
}

/** Asks the bank: a charge is made either way, and a refusal is thrown after it has been noted. */
function attempt(call: Call, before: Stripe.PaymentIntent, method: MethodRow, authenticated: boolean): object {
  const { decline, slowly } = method.card;
  if (slowly !== undefined) return intentFor(call, process(call, before, method, slowly));
  if (decline === null) return intentFor(call, pay(call, before, method, authenticated));
  const { intent, error } = refuse(call, before, method, decline, authenticated);
  throw new StripeFailure(402, { ...error, payment_intent: intentFor(call, intent) }, true);
}

/** The bank answers later: see `processing.ts`. */
function process(
  deed: Deed,
  before: Stripe.PaymentIntent,
  method: MethodRow,
  outcome: ProcessingOutcome,
): Stripe.PaymentIntent {
  const intent: Stripe.PaymentIntent = {
    ...before,
    last_payment_error: null,
    next_action: null,
    payment_method: method.method.id,
    status: 'processing',
  };
  deed.trx.put('payment_intents', intent.id, { intent, challenge: null });
  deed.trx.put('processing', intent.id, { outcome, sinceMs: Date.now() });
  emit(deed, 'payment_intent.processing', intent);
  return intent;
}

/** The bank pays. */
export function pay(
  deed: Deed,
  before: Stripe.PaymentIntent,
  method: MethodRow,
  authenticated: boolean,
): Stripe.PaymentIntent {
  const charge = bookCharge(deed, newCharge(before, method, { authenticated, decline: null }));
  const intent: Stripe.PaymentIntent = {
    ...before,
    amount_received: before.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    payment_method: method.method.id,
    status: 'succeeded',
  };
  deed.trx.put('charges', charge.id, charge);
  deed.trx.put('payment_intents', intent.id, { intent, challenge: null });
  emit(deed, 'charge.succeeded', charge);
  emit(deed, 'payment_intent.succeeded', intent);
  if (method.card.dispute !== undefined) openDispute(deed, charge, method.card.dispute);
  return intent;
}

/** The bank refuses: the charge is noted as failed, and the customer may try another card. */
export function refuse(
  deed: Deed,
  before: Stripe.PaymentIntent,
  method: MethodRow,
  decline: DeclineName,
  authenticated: boolean,
) {
  const charge = newCharge(before, method, { authenticated, decline });
  deed.trx.put('charges', charge.id, charge);
  const error = declineError(decline, charge.id, method.method);
  const intent = failed(deed, before, error, charge.id);
  emit(deed, 'charge.failed', charge);
  emit(deed, 'payment_intent.payment_failed', intent);
  return { intent, error };
}

function declineError(decline: DeclineName, charge: string, method: Stripe.PaymentMethod) {
  const { code, declineCode, adviceCode, message } = declineNamed(decline);
  return {
    ...(adviceCode === undefined ? {} : { advice_code: adviceCode }),
    charge,
    code,
    ...(declineCode === undefined ? {} : { decline_code: declineCode }),
    doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`,
    message,
    payment_method: method,
    type: 'card_error',
  } satisfies FailureBody;
}

/** Back to the start, with the reason noted: the customer may try another card. */
function failed(
  deed: Deed,
  before: Stripe.PaymentIntent,
  error: Stripe.PaymentIntent.LastPaymentError,
  chargeId: string | null,
): Stripe.PaymentIntent {
  const intent: Stripe.PaymentIntent = {
    ...before,
    last_payment_error: error,
    latest_charge: chargeId ?? before.latest_charge,
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  };
  deed.trx.put('payment_intents', intent.id, { intent, challenge: null });
  return intent;
}

/**
 * `POST /v1/3ds2/challenge`, the stand-in's own: what the customer answered in the bank's dialog. Like Stripe, a failed
 * authentication is no failed call: the intent that comes back says so in `last_payment_error`.
 */
export function answerChallenge(call: Call): object {
  const id = requiredText(call.params, 'client_secret').split('_secret_')[0] ?? '';
  const { intent, challenge } = intentOf({ ...call, id });
  const source = requiredText(call.params, 'source');
  const outcome = oneOf(call.params, 'outcome', ['complete', 'fail']);
  if (outcome === undefined) throw invalidRequest('Missing required param: outcome.', { param: 'outcome' });
  if (challenge === null || challenge.source !== source) {
    throw unexpectedState('This authentication is no longer waiting for an answer.', intentFor(call, intent));
  }
  const method = call.trx.get('payment_methods', String(intent.payment_method));
  if (method === undefined) throw new Error(`The payment method of ${intent.id} is gone.`);
  if (outcome === 'fail') {
    const after = failed(call, intent, { ...AUTHENTICATION_FAILURE, payment_method: method.method }, null);
    emit(call, 'payment_intent.payment_failed', after);
    return intentFor(call, after);
  }
  try {
    return attempt(call, intent, method, true);
  } catch (error) {
    if (!(error instanceof StripeFailure && error.status === 402)) throw error;
    return intentFor(call, intentOf({ ...call, id }).intent);
  }
}

/** `POST /v1/payment_intents/:id/cancel`: afterwards this intent can never be paid. */
export function cancelIntent(call: Call): object {
  const reason = oneOf(call.params, 'cancellation_reason', CANCEL_REASONS) ?? null;
  const { intent: before } = intentOf(call);
  mustAllow('cancel', before, call);
  const intent: Stripe.PaymentIntent = {
    ...before,
    canceled_at: nowSeconds(),
    cancellation_reason: reason,
    next_action: null,
    status: 'canceled',
  };
  call.trx.put('payment_intents', intent.id, { intent, challenge: null });
  call.trx.remove('processing', intent.id);
  emit(call, 'payment_intent.canceled', intent);
  return intent;
}
