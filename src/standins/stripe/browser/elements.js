// stripe.elements(): the group a page's elements belong to.
import { createCardElement } from './card-element.js';
import { IntegrationError } from './errors.js';
import { createWalletElement } from './wallet.js';

/**
 * What the customer of a group's wallet decided.
 * @type {WeakMap<object, { isConfirmed: boolean }>}
 */
export const WALLETS = new WeakMap();

/**
 * Options of looks (locale, fonts, appearance) are taken and left: the card element follows the page. Those of a
 * payment that is to come are for wallets.
 * @param {{ mode?: string, amount?: number, currency?: string }} [options]
 */
export function createElements(options = {}) {
  let group = { ...options };
  const wallet = { isConfirmed: false };
  /** @type {Map<string, any>} */
  const made = new Map();
  /** @type {Map<string, Set<() => void>>} */
  const listeners = new Map();

  const elements = {
    /** @param {string} type @param {Record<string, any>} [elementOptions] */
    create(type, elementOptions = {}) {
      if (type !== 'card' && type !== 'expressCheckout') {
        throw new IntegrationError(
          `A valid Element name must be provided. Valid Elements of this stand-in for Stripe are: card, expressCheckout; you passed: ${String(type)}.`,
        );
      }
      if (made.has(type)) {
        throw new IntegrationError(
          `Can only create one Element of type ${type}. Use elements.getElement('${type}') to find the one there is.`,
        );
      }
      const forget = () => made.delete(type);
      const element =
        type === 'card'
          ? createCardElement(elementOptions, forget)
          : createWalletElement(
              () => group,
              (isConfirmed) => (wallet.isConfirmed = isConfirmed),
              forget,
            );
      made.set(type, element);
      return element;
    },
    /** @param {string | { __elementType: string }} type a name, or one of React's element components */
    getElement(type) {
      return made.get(typeof type === 'string' ? type : type.__elementType) ?? null;
    },
    /** @param {{ amount?: number }} changes */
    async update(changes) {
      group = { ...group, ...changes };
      for (const listener of listeners.get('update-end') ?? []) listener();
    },
    fetchUpdates: async () => ({}),
    submit: async () => ({ selectedPaymentMethod: made.has('expressCheckout') ? 'google_pay' : 'card' }),
    /** @param {string} type @param {() => void} listener */
    on(type, listener) {
      listeners.set(type, (listeners.get(type) ?? new Set()).add(listener));
    },
  };
  WALLETS.set(elements, wallet);
  return elements;
}
