import type Stripe from 'stripe';
import type { Call } from '#standins/stripe/api/call.ts';
import { invalidRequest, missingParam, noSuch } from '#standins/stripe/api/failure.ts';
import { newId, nowSeconds, randomText } from '#standins/stripe/api/ids.ts';
import { text } from '#standins/stripe/api/params.ts';
import type { IntentRow } from '#standins/stripe/store/tables.ts';

/** What a new payment intent is made of. */
export interface IntentDraft {
  amount: number;
  currency: string;
  description: string | null;
  metadata: Record<string, string>;
  receiptEmail: string | null;
  allowedTypes: string[] | null;
  automaticMethods: Stripe.PaymentIntent.AutomaticPaymentMethods | null;
  statementDescriptorSuffix: string | null;
  transferGroup: string | null;
}

/** A payment intent in its first state, with every key Stripe sends. */
export function newIntent(draft: IntentDraft): Stripe.PaymentIntent {
  const id = newId('pi');
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: draft.allowedTypes,
    amount: draft.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: draft.automaticMethods,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_secret_${randomText(25)}`,
    confirmation_method: 'automatic',
    created: nowSeconds(),
    currency: draft.currency,
    customer: null,
    customer_account: null,
    description: draft.description,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: { enabled: false },
    metadata: draft.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: draft.receiptEmail,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: draft.statementDescriptorSuffix,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: draft.transferGroup,
  };
}

// What Stripe tells a browser: nothing of the merchant's own notes (metadata, customer, charges).
const PUBLIC_KEYS = [
  'id',
  'object',
  'amount',
  'amount_details',
  'automatic_payment_methods',
  'canceled_at',
  'cancellation_reason',
  'capture_method',
  'client_secret',
  'confirmation_method',
  'created',
  'currency',
  'description',
  'last_payment_error',
  'livemode',
  'next_action',
  'payment_method',
  'payment_method_configuration_details',
  'payment_method_types',
  'processing',
  'receipt_email',
  'setup_future_usage',
  'shipping',
  'source',
  'status',
] as const satisfies readonly (keyof Stripe.PaymentIntent)[];

/** The intent as this caller may see it. */
export function intentFor({ publishable }: Pick<Call, 'publishable'>, intent: Stripe.PaymentIntent) {
  if (!publishable) return intent;
  return Object.fromEntries(PUBLIC_KEYS.map((key) => [key, intent[key]])) as Partial<Stripe.PaymentIntent>;
}

/** The intent a call is about. A browser must know its client secret, and learns nothing about any other. */
export function intentOf(call: Call): IntentRow {
  const row = call.trx.get('payment_intents', call.id);
  if (row === undefined) throw noSuch('payment_intent', call.id, 'intent');
  const secret = text(call.params, 'client_secret');
  if (call.publishable && secret === undefined) throw missingParam('client_secret');
  if (secret !== undefined && secret !== row.intent.client_secret) {
    const message = 'The client_secret provided does not match the client_secret associated with the PaymentIntent.';
    throw invalidRequest(message, { code: 'payment_intent_invalid_parameter', param: 'client_secret' });
  }
  return row;
}
