// What an instance of Stripe does with cards and payment intents.
import { CARD_READERS } from './card-element.js';
import { askCustomer } from './challenge.js';
import { callApi } from './client.js';
import { WALLETS } from './elements.js';
import { IntegrationError } from './errors.js';

/**
 * @param {string} method
 * @param {unknown} clientSecret
 */
function intentIdOf(method, clientSecret) {
  const match = /^(pi_[A-Za-z0-9]+)_secret_[A-Za-z0-9]+$/.exec(String(clientSecret));
  if (match?.[1] !== undefined) return match[1];
  throw new IntegrationError(
    `Invalid value for ${method} intent secret: value should be a client secret of the form \${id}_secret_\${secret}.`,
  );
}

/** @param {unknown} element */
function readerOf(element) {
  const reader = typeof element === 'object' && element !== null ? CARD_READERS.get(element) : undefined;
  if (reader !== undefined) return reader;
  throw new IntegrationError(
    'We could not retrieve data from the specified Element. Please make sure the Element you are attempting to use is still mounted.',
  );
}

/**
 * `{ card, billing_details }` as the API takes it. A card is an element, or `{ token }`.
 * @param {Record<string, any>} data
 */
function methodData({ card, billing_details: billing = {}, metadata }) {
  if (typeof card?.token === 'string') {
    return { values: { type: 'card', card: { token: card.token }, billing_details: billing, metadata } };
  }
  const { details, error } = readerOf(card).read();
  if (details === undefined) return { error };
  const { zip, ...rest } = details;
  const address = zip === '' ? billing.address : { postal_code: zip, ...billing.address };
  return { values: { type: 'card', card: rest, billing_details: { ...billing, address }, metadata } };
}

/** The card in the one wallet: a bank takes it, in any year. */
const WALLET_CARD = { number: '4242424242424242', exp_month: '12', exp_year: '60', cvc: '123' };

/** @param {string} publishableKey */
export function createPayments(publishableKey) {
  /** @param {'GET' | 'POST'} method @param {string} path @param {Record<string, any>} values */
  const call = (method, path, values) => callApi(publishableKey, method, path, values);

  /**
   * Lets the customer answer the bank's question, if there is one, and says how the payment stands.
   * @param {any} intent
   * @returns {Promise<{ paymentIntent?: any, error?: any }>}
   */
  async function finishAction(intent) {
    const source = intent.next_action?.use_stripe_sdk?.three_d_secure_2_source;
    if (intent.status !== 'requires_action' || source === undefined) return { paymentIntent: intent };
    const { answer, error } = await askCustomer(intent, (outcome) =>
      call('POST', '3ds2/challenge', { client_secret: intent.client_secret, source, outcome }),
    );
    if (error) return { error };
    if (answer.status !== 'requires_payment_method') return { paymentIntent: answer };
    return { error: { ...answer.last_payment_error, payment_intent: answer } };
  }

  /** @param {string} clientSecret @param {string} method */
  async function retrieve(clientSecret, method) {
    const id = intentIdOf(method, clientSecret);
    const { answer, error } = await call('GET', `payment_intents/${id}`, { client_secret: clientSecret });
    return error ? { error } : { paymentIntent: answer };
  }

  return {
    /**
     * @param {string} clientSecret
     * @param {Record<string, any>} [data]
     * @param {{ handleActions?: boolean }} [options]
     */
    async confirmCardPayment(clientSecret, data = {}, options = {}) {
      const id = intentIdOf('stripe.confirmCardPayment', clientSecret);
      const { payment_method: method, ...rest } = data;
      const values = {
        ...rest,
        client_secret: clientSecret,
        expected_payment_method_type: 'card',
        use_stripe_sdk: true,
      };
      const filled = typeof method === 'object' && method !== null ? methodData(method) : undefined;
      if (filled?.error) return { error: filled.error };
      const how = filled ? { payment_method_data: filled.values } : { payment_method: method };
      const { answer, error } = await call('POST', `payment_intents/${id}/confirm`, { ...values, ...how });
      if (error) return { error };
      return options.handleActions === false ? { paymentIntent: answer } : finishAction(answer);
    },
    /**
     * Pays with what the customer chose in a wallet.
     * @param {{ elements: object, clientSecret: string, redirect?: string }} options
     */
    async confirmPayment({ elements, clientSecret, redirect }) {
      const id = intentIdOf('stripe.confirmPayment', clientSecret);
      const wallet = WALLETS.get(elements);
      if (wallet === undefined || redirect !== 'if_required') {
        throw new IntegrationError('This stand-in for Stripe confirms wallets only, and never leads away from a page.');
      }
      if (!wallet.isConfirmed) throw new IntegrationError('The wallet was not confirmed by its customer.');
      wallet.isConfirmed = false;
      const { answer, error } = await call('POST', `payment_intents/${id}/confirm`, {
        client_secret: clientSecret,
        expected_payment_method_type: 'card',
        use_stripe_sdk: true,
        payment_method_data: { type: 'card', card: WALLET_CARD },
      });
      return error ? { error } : finishAction(answer);
    },
    /** @param {string} clientSecret */
    async handleCardAction(clientSecret) {
      const { paymentIntent, error } = await retrieve(clientSecret, 'stripe.handleCardAction');
      return error ? { error } : finishAction(paymentIntent);
    },
    /** @param {{ clientSecret: string }} options */
    async handleNextAction({ clientSecret }) {
      const { paymentIntent, error } = await retrieve(clientSecret, 'stripe.handleNextAction');
      return error ? { error } : finishAction(paymentIntent);
    },
    /** @param {string} clientSecret */
    retrievePaymentIntent: (clientSecret) => retrieve(clientSecret, 'stripe.retrievePaymentIntent'),
    /** @param {Record<string, any>} data */
    async createPaymentMethod(data) {
      if (data?.type !== 'card')
        throw new IntegrationError('This stand-in for Stripe knows payment methods of type card only.');
      const { values, error } = methodData(data);
      if (error) return { error };
      const result = await call('POST', 'payment_methods', values ?? {});
      return result.error ? { error: result.error } : { paymentMethod: result.answer };
    },
    /** @param {unknown} element @param {Record<string, any>} [data] */
    async createToken(element, data = {}) {
      const { details, error } = readerOf(element).read();
      if (details === undefined) return { error };
      const { zip, ...card } = details;
      const extra = zip === '' ? data : { address_zip: zip, ...data };
      const result = await call('POST', 'tokens', { card: { ...card, ...extra } });
      return result.error ? { error: result.error } : { token: result.answer };
    },
  };
}
