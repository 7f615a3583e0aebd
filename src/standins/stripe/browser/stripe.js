// window.Stripe, in the shape @stripe/stripe-js and @stripe/react-stripe-js look for.
import { createElements } from './elements.js';
import { IntegrationError } from './errors.js';
import { createPayments } from './payments.js';

/**
 * Options (account, locale, API version) are taken and left: there is one of each here.
 * @param {string} publishableKey
 */
function Stripe(publishableKey) {
  if (typeof publishableKey !== 'string' || !publishableKey.startsWith('pk_')) {
    throw new IntegrationError('Please call Stripe() with your publishable key. It should start with "pk_".');
  }
  return {
    elements: createElements,
    ...createPayments(publishableKey),
    /** @param {Record<string, any>} [wrapper] */
    registerAppInfo: (wrapper) => void wrapper,
    /** @param {Record<string, any>} [wrapper] */
    _registerWrapper: (wrapper) => void wrapper,
  };
}

// @stripe/stripe-js warns on the console when this is not the release it was made for.
Stripe.version = 'endive';

if (!('Stripe' in window)) Object.assign(window, { Stripe });
