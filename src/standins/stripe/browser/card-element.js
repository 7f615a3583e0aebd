// The card element: one box for number, expiry, CVC and ZIP, with the events of Stripe.js.
import { makeFields, readFields, tidyField } from './card-fields.js';
import { applyOptions, markWrong, showClasses, submitFormAround } from './card-looks.js';
import { createEmitter } from './emitter.js';
import { IntegrationError, validationError } from './errors.js';

/** @typedef {{ number: string, exp_month: string, exp_year: string, cvc: string, zip: string }} CardDetails */
/** @typedef {{ read: () => { details?: CardDetails, error?: ReturnType<typeof validationError> } }} CardReader */
/** @typedef {import('./emitter.js').Listener} Listener */

/**
 * What was typed is reached through this map only: an element handed to a page's code gives nothing away.
 * @type {WeakMap<object, CardReader>}
 */
export const CARD_READERS = new WeakMap();

/**
 * @param {Record<string, any>} given the options of `elements.create('card', options)`
 * @param {() => void} onDestroy
 */
export function createCardElement(given, onDestroy) {
  let options = { ...given };
  const { tell, on, off, clear: forgetListeners } = createEmitter();
  const host = document.createElement('div');
  const { root, fields, brand } = makeFields(host);
  /** @type {HTMLElement | null} */
  let container = null;
  let isFocused = false;
  let isDestroyed = false;
  // Set when the page asked for the details while some were missing: from then on, missing ones are pointed out too.
  let isFullyAsked = false;
  let lastTold = '';

  const shown = () => fields.filter(({ box }) => !box.hidden);

  /**
   * The first field with something wrong that is worth saying already: half-typed is only wrong once it was left.
   * @param {ReturnType<typeof readFields>['problems']} problems
   */
  function fieldToPointAt(problems) {
    return shown().find(({ name, input, left }) => {
      const problem = problems[name];
      if (problem === null) return false;
      return problem.startsWith('invalid_') || (left && (input.value !== '' || isFullyAsked));
    });
  }

  /** Brings looks and listeners up to date with what is typed. */
  function refresh() {
    const { problems, brand: found, zip } = readFields(fields);
    brand.textContent = options.hideIcon ? '' : found.word;
    const wrong = fieldToPointAt(problems);
    const error = wrong === undefined ? undefined : validationError(problems[wrong.name] ?? '');
    markWrong(fields, wrong, error?.message ?? '');
    const empty = shown().every(({ input }) => input.value === '');
    const complete = shown().every(({ name }) => problems[name] === null);
    const invalid = error !== undefined;
    showClasses(container, options, { base: true, focus: isFocused, complete, empty, invalid });
    const event = { elementType: 'card', empty, complete, error, value: { postalCode: zip }, brand: found.brand };
    const told = JSON.stringify(event);
    const isNews = lastTold !== '' && told !== lastTold;
    lastTold = told;
    if (isNews) tell('change', event);
  }

  /**
   * On to the next field once this one is complete and the caret is at its end, as in Stripe's element.
   * @param {import('./card-fields.js').Field} field
   */
  function moveOn({ name, input }) {
    const all = shown();
    const next = all[all.findIndex((field) => field.name === name) + 1];
    const atEnd = input.selectionStart === input.value.length;
    if (next?.input.value !== '' || !atEnd || root.activeElement !== input) return;
    if (readFields(fields).problems[name] === null) next.input.focus();
  }

  fields.forEach((field, at) => {
    const { input } = field;
    input.addEventListener('input', (event) => {
      const deleting = event instanceof InputEvent && event.inputType.startsWith('delete');
      tidyField(field, fields, deleting);
      refresh();
      if (!deleting) moveOn(field);
    });
    input.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') tell('escape');
      if (event.key === 'Enter') submitFormAround(container);
      if (event.key === 'Backspace' && input.value === '' && at > 0) {
        event.preventDefault();
        fields[at - 1]?.input.focus();
      }
    });
    input.addEventListener('focusin', () => {
      const comesFromOutside = !isFocused;
      isFocused = true;
      refresh();
      if (comesFromOutside) tell('focus');
    });
    input.addEventListener('focusout', (event) => {
      field.left = true;
      isFocused = event.relatedTarget instanceof Node && root.contains(event.relatedTarget);
      refresh();
      if (!isFocused) tell('blur');
    });
  });

  function mustLive() {
    if (isDestroyed) throw new IntegrationError('This Element has already been destroyed. Please create a new one.');
  }

  const element = {
    _elementType: 'card',
    /** @param {string | HTMLElement} target */
    mount(target) {
      mustLive();
      const place = typeof target === 'string' ? document.querySelector(target) : target;
      if (!(place instanceof HTMLElement)) {
        throw new IntegrationError(`The selector you specified (${String(target)}) applies to no DOM elements.`);
      }
      container = place;
      container.replaceChildren(host);
      applyOptions(host, fields, options);
      refresh();
      const label = place.id && document.querySelector(`label[for="${CSS.escape(place.id)}"]`);
      if (label) label.addEventListener('click', () => isDestroyed || element.focus());
      setTimeout(() => isDestroyed || tell('ready'));
    },
    unmount() {
      mustLive();
      host.remove();
      showClasses(container, options, {});
      container = null;
    },
    destroy() {
      mustLive();
      forgetListeners();
      element.clear();
      element.unmount();
      isDestroyed = true;
      CARD_READERS.delete(element);
      onDestroy();
    },
    /** @param {Record<string, any>} changes */
    update(changes) {
      mustLive();
      options = { ...options, ...changes };
      applyOptions(host, fields, options);
      refresh();
    },
    clear() {
      mustLive();
      isFullyAsked = false;
      for (const field of fields) {
        field.input.value = '';
        field.left = false;
      }
      refresh();
    },
    focus() {
      mustLive();
      (shown().find(({ input }) => input.value === '') ?? fields[0])?.input.focus();
    },
    blur() {
      mustLive();
      for (const { input } of fields) input.blur();
    },
    /** @param {string} type @param {Listener} listener */
    on(type, listener) {
      on(type, listener);
      return element;
    },
    /** @param {string} type @param {Listener} listener */
    once(type, listener) {
      /** @type {Listener} */
      const wrapped = (event) => {
        off(type, wrapped);
        listener(event);
      };
      return element.on(type, wrapped);
    },
    /** @param {string} type @param {Listener} [listener] */
    off(type, listener) {
      off(type, listener);
      return element;
    },
    /** @param {string} type @param {Listener} listener */
    addEventListener: (type, listener) => element.on(type, listener),
    /** @param {string} type @param {Listener} [listener] */
    removeEventListener: (type, listener) => element.off(type, listener),
  };

  CARD_READERS.set(element, {
    read() {
      const { problems, number, expiry, cvc, zip } = readFields(fields);
      const wrong = shown().find(({ name }) => problems[name] !== null);
      if (wrong === undefined) {
        return { details: { number, exp_month: expiry.slice(0, 2), exp_year: expiry.slice(2), cvc, zip } };
      }
      isFullyAsked = true;
      for (const field of fields) field.left = true;
      refresh();
      wrong.input.focus();
      return { error: validationError(problems[wrong.name] ?? '') };
    },
  });
  return element;
}
