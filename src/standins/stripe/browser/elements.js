// stripe.elements(): the group a page's elements belong to.
import { createCardElement } from './card-element.js';
import { IntegrationError } from './errors.js';

/** Options of the group (locale, fonts, appearance) are taken and left: the card element follows the page. */
export function createElements() {
  /** @type {Map<string, any>} */
  const made = new Map();
  /** @type {Map<string, Set<() => void>>} */
  const listeners = new Map();

  return {
    /** @param {string} type @param {Record<string, any>} [elementOptions] */
    create(type, elementOptions = {}) {
      if (type !== 'card') {
        throw new IntegrationError(
          `A valid Element name must be provided. Valid Elements of this stand-in for Stripe are: card; you passed: ${String(type)}.`,
        );
      }
      if (made.has(type)) {
        throw new IntegrationError(
          `Can only create one Element of type ${type}. Use elements.getElement('${type}') to find the one there is.`,
        );
      }
      const element = createCardElement(elementOptions, () => made.delete(type));
      made.set(type, element);
      return element;
    },
    /** @param {string | { __elementType: string }} type a name, or one of React's element components */
    getElement(type) {
      return made.get(typeof type === 'string' ? type : type.__elementType) ?? null;
    },
    async update() {
      for (const listener of listeners.get('update-end') ?? []) listener();
    },
    fetchUpdates: async () => ({}),
    submit: async () => ({ selectedPaymentMethod: 'card' }),
    /** @param {string} type @param {() => void} listener */
    on(type, listener) {
      listeners.set(type, (listeners.get(type) ?? new Set()).add(listener));
    },
  };
}
