import type Stripe from 'stripe';
import type { Call } from '#standins/stripe/api/call.ts';
import { confirmRow } from '#standins/stripe/cards/confirmation.ts';
import { emit } from '#standins/stripe/store/events.ts';
import { invalidRequest, missingParam } from '#standins/stripe/api/failure.ts';
import { intentFor, intentOf, newIntent } from './intent-object.ts';
import { mustAllow } from './intent-states.ts';
import { listPage } from '#standins/stripe/api/lists.ts';
import {
  flag,
  integer,
  list,
  mergedMetadata,
  nested,
  oneOf,
  onlyKnown,
  requiredText,
  text,
} from '#standins/stripe/api/params.ts';
import { methodOf } from '#standins/stripe/cards/payment-methods.ts';

/** The smallest charge Stripe takes, in the currency's smallest unit, and how it writes it. */
const MINIMUMS: ReadonlyMap<string, { amount: number; words: string }> = new Map([
  ['usd', { amount: 50, words: '$0.50 usd' }],
  ['cad', { amount: 50, words: '$0.50 cad' }],
  ['aud', { amount: 50, words: '$0.50 aud' }],
  ['eur', { amount: 50, words: '€0.50 eur' }],
  ['gbp', { amount: 30, words: '£0.30 gbp' }],
]);
const MAX_AMOUNT = 99_999_999;

const UPDATE_PARAMS = ['amount', 'currency', 'description', 'metadata', 'payment_method', 'payment_method_data'];
const SHARED_PARAMS = [
  ...UPDATE_PARAMS,
  'expand',
  'payment_method_options',
  'receipt_email',
  'statement_descriptor_suffix',
];
const KNOWN_TO_UPDATE: ReadonlySet<string> = new Set([...SHARED_PARAMS, 'transfer_group']);
// No payment_method_types: Stripe took it away in this version of its API.
const KNOWN_TO_CREATE: ReadonlySet<string> = new Set([
  ...KNOWN_TO_UPDATE,
  'allowed_payment_method_types',
  'automatic_payment_methods',
  'capture_method',
  'confirm',
  'confirmation_method',
  'error_on_requires_action',
  'off_session',
  'return_url',
  'use_stripe_sdk',
]);

function checkAmount(amount: number, currency: string): void {
  const minimum = MINIMUMS.get(currency);
  if (minimum === undefined) {
    const known = [...MINIMUMS.keys()].join(', ');
    const message = `Invalid currency: ${currency.slice(0, 20)}. This stand-in for Stripe supports these currencies: ${known}`;
    throw invalidRequest(message, { param: 'currency' });
  }
  if (amount < 1) {
    const code = 'parameter_invalid_integer';
    throw invalidRequest('This value must be greater than or equal to 1.', { code, param: 'amount' });
  }
  if (amount < minimum.amount) {
    throw invalidRequest(`Amount must be at least ${minimum.words}`, { code: 'amount_too_small', param: 'amount' });
  }
  if (amount > MAX_AMOUNT) {
    throw invalidRequest('Amount must be no more than $999,999.99', { code: 'amount_too_large', param: 'amount' });
  }
}

/** How Stripe was told to choose the ways to pay; the default is its own choice. */
function readAutomaticMethods({ params }: Call): Stripe.PaymentIntent.AutomaticPaymentMethods | null {
  const automatic = nested(params, 'automatic_payment_methods');
  if (automatic !== undefined && flag(automatic, 'enabled') === false) return null;
  const redirects = automatic === undefined ? undefined : text(automatic, 'allow_redirects');
  return { allow_redirects: redirects === 'never' ? 'never' : 'always', enabled: true };
}

/** The ways to pay an intent is limited to, null for no limit. Only cards are paid with here. */
function readAllowedTypes({ params }: Call): string[] | null {
  const types = list(params, 'allowed_payment_method_types');
  const unknown = types.find((type) => type !== 'card');
  if (unknown === undefined) return types.length > 0 ? ['card'] : null;
  const param = 'allowed_payment_method_types';
  throw invalidRequest(`The payment method type "${unknown}" is invalid.`, { param });
}

export function createIntent(call: Call): object {
  const { params, trx } = call;
  onlyKnown(params, KNOWN_TO_CREATE);
  const amount = integer(params, 'amount');
  if (amount === undefined) throw missingParam('amount');
  const currency = requiredText(params, 'currency').toLowerCase();
  checkAmount(amount, currency);
  oneOf(params, 'capture_method', ['automatic', 'automatic_async']);
  oneOf(params, 'confirmation_method', ['automatic']);
  const draft = newIntent({
    amount,
    currency,
    description: text(params, 'description') ?? null,
    metadata: mergedMetadata(params),
    receiptEmail: text(params, 'receipt_email') ?? null,
    allowedTypes: readAllowedTypes(call),
    automaticMethods: readAutomaticMethods(call),
    statementDescriptorSuffix: text(params, 'statement_descriptor_suffix') ?? null,
    transferGroup: text(params, 'transfer_group') ?? null,
  });
  const method = methodOf(call);
  const intent: Stripe.PaymentIntent =
    method === undefined ? draft : { ...draft, payment_method: method.method.id, status: 'requires_confirmation' };
  trx.put('payment_intents', intent.id, { intent, challenge: null });
  emit(call, 'payment_intent.created', intent);
  if (flag(params, 'confirm') !== true) return intent;
  return confirmRow(call, { intent, challenge: null }, method);
}

export function retrieveIntent(call: Call): object {
  return intentFor(call, intentOf(call).intent);
}

export function updateIntent(call: Call): object {
  const { params, trx } = call;
  onlyKnown(params, KNOWN_TO_UPDATE);
  const { intent: before, challenge } = intentOf(call);
  const amount = integer(params, 'amount') ?? before.amount;
  const currency = text(params, 'currency')?.toLowerCase() ?? before.currency;
  checkAmount(amount, currency);
  const method = methodOf(call);
  const changesPayment = amount !== before.amount || currency !== before.currency || method !== undefined;
  if (changesPayment) mustAllow('update', before, call);
  // An authentication was asked for the old terms: it must not go on to pay the new ones.
  const restarts = changesPayment && before.status === 'requires_action';
  const intent: Stripe.PaymentIntent = {
    ...before,
    amount,
    currency,
    description: text(params, 'description') ?? before.description,
    metadata: mergedMetadata(params, before.metadata),
    next_action: restarts ? null : before.next_action,
    payment_method: method?.method.id ?? before.payment_method,
    receipt_email: text(params, 'receipt_email') ?? before.receipt_email,
    status: method !== undefined || restarts ? 'requires_confirmation' : before.status,
  };
  trx.put('payment_intents', intent.id, { intent, challenge: restarts ? null : challenge });
  return intent;
}

export function listIntents({ trx, params }: Call): object {
  const intents = trx.newestFirst('payment_intents').map(({ intent }) => intent);
  return listPage(intents, params, '/v1/payment_intents', 'payment_intent');
}
