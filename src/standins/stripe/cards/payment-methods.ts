import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import type { Call } from '#standins/stripe/api/call.ts';
import { cardNumbered, readCard } from './card-details.ts';
import { invalidRequest, missingParam, noSuch } from '#standins/stripe/api/failure.ts';
import type { FormObject } from '#standins/stripe/api/form.ts';
import { newId, nowSeconds } from '#standins/stripe/api/ids.ts';
import { mergedMetadata, nested, requiredText, text } from '#standins/stripe/api/params.ts';
import type { CardFacts, MethodRow } from '#standins/stripe/store/tables.ts';
import { TEST_METHODS } from './test-cards.ts';

/** Reads name, email, phone and address as given; what is absent is null. */
function billingDetails(form: FormObject): Stripe.PaymentMethod.BillingDetails {
  const given = nested(form, 'billing_details') ?? {};
  const address = nested(given, 'address', 'billing_details[address]') ?? {};
  return {
    address: {
      city: text(address, 'city') ?? null,
      country: text(address, 'country') ?? null,
      line1: text(address, 'line1') ?? null,
      line2: text(address, 'line2') ?? null,
      postal_code: text(address, 'postal_code') ?? null,
      state: text(address, 'state') ?? null,
    },
    email: text(given, 'email') ?? null,
    name: text(given, 'name') ?? null,
    phone: text(given, 'phone') ?? null,
    tax_id: text(given, 'tax_id') ?? null,
  };
}

/** Tells two cards apart as far as anybody may here: by what is printed of them, never by their number. */
export function fingerprintOf(card: CardFacts): string {
  const printed = `${card.brand} ${card.funding} ${card.country} ${card.last4}`;
  return createHash('sha256').update(printed).digest('base64url').replaceAll(/[-_]/g, '0').slice(0, 16);
}

export function cardChecks(card: CardFacts, billing: Stripe.PaymentMethod.BillingDetails) {
  return {
    address_line1_check: billing.address?.line1 ? 'pass' : null,
    address_postal_code_check: billing.address?.postal_code ? 'pass' : null,
    cvc_check: card.hasCvc ? 'pass' : null,
  };
}

function newMethod(card: CardFacts, form: FormObject): MethodRow {
  const billing = billingDetails(form);
  const method: Stripe.PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: billing,
    card: {
      brand: card.brand,
      checks: cardChecks(card, billing),
      country: card.country,
      display_brand: card.brand,
      exp_month: card.expMonth,
      exp_year: card.expYear,
      fingerprint: fingerprintOf(card),
      funding: card.funding,
      generated_from: null,
      last4: card.last4,
      networks: { available: [card.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: nowSeconds(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: mergedMetadata(form),
    type: 'card',
  };
  return { method, card };
}

function methodFrom(call: Call, form: FormObject, param: string): MethodRow {
  const type = requiredText(form, 'type', `${param}[type]`);
  if (type !== 'card') throw invalidRequest(`The payment method type provided: ${type} is invalid.`, { param: 'type' });
  const cardParam = param === '' ? 'card' : `${param}[card]`;
  const details = nested(form, 'card', cardParam);
  if (details === undefined) throw missingParam(cardParam);
  const token = text(details, 'token');
  const card = token === undefined ? readCard(details, cardParam) : call.trx.get('tokens', token)?.card;
  if (card === undefined) throw noSuch('token', token ?? '', `${cardParam}[token]`);
  const row = newMethod(card, form);
  call.trx.put('payment_methods', row.method.id, row);
  return row;
}

/** The payment method a call names (`payment_method`) or brings along (`payment_method_data`), if it does either. */
export function methodOf(call: Call): MethodRow | undefined {
  const data = nested(call.params, 'payment_method_data');
  if (data !== undefined) return methodFrom(call, data, 'payment_method_data');
  const id = text(call.params, 'payment_method');
  if (id === undefined) return undefined;
  const number = TEST_METHODS.get(id);
  if (number === undefined) {
    const row = call.trx.get('payment_methods', id);
    if (row === undefined) throw noSuch('PaymentMethod', id, 'payment_method');
    return row;
  }
  const nextYear = new Date().getUTCFullYear() + 1;
  const row = newMethod(cardNumbered(number, 12, nextYear, false), {});
  call.trx.put('payment_methods', row.method.id, row);
  return row;
}

export function createPaymentMethod(call: Call): object {
  return methodFrom(call, call.params, '').method;
}

export function retrievePaymentMethod({ trx, id }: Call): object {
  const row = trx.get('payment_methods', id);
  if (row === undefined) throw noSuch('PaymentMethod', id, 'payment_method');
  return row.method;
}

/** A token for card details, as `stripe.createToken` asks for it. */
export function createToken(call: Call): object {
  const details = nested(call.params, 'card');
  if (details === undefined) throw missingParam('card');
  const card = readCard(details, 'card');
  const id = newId('tok');
  call.trx.put('tokens', id, { card });
  const created = nowSeconds();
  return {
    id,
    object: 'token',
    card: {
      id: newId('card'),
      object: 'card',
      brand: card.brand,
      country: card.country,
      cvc_check: card.hasCvc ? 'unchecked' : null,
      exp_month: card.expMonth,
      exp_year: card.expYear,
      fingerprint: fingerprintOf(card),
      funding: card.funding,
      last4: card.last4,
      name: text(details, 'name') ?? null,
    },
    client_ip: null,
    created,
    livemode: false,
    type: 'card',
    used: false,
  };
}
