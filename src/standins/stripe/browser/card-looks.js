// What a page may change about a card element: classes of its container, a few looks, which fields are there.

/** @type {Record<string, string>} */
const CLASS_NAMES = {
  base: 'StripeElement',
  complete: 'StripeElement--complete',
  empty: 'StripeElement--empty',
  focus: 'StripeElement--focus',
  invalid: 'StripeElement--invalid',
};

/**
 * Sets or removes the classes that tell the element's state, as Stripe.js does on the container.
 * @param {HTMLElement | null} container
 * @param {Record<string, any>} options
 * @param {Record<string, boolean>} states
 */
export function showClasses(container, options, states) {
  const names = { ...CLASS_NAMES, ...options.classes };
  for (const state of Object.keys(CLASS_NAMES)) {
    for (const name of String(names[state] ?? '').split(/\s+/)) {
      if (name !== '') container?.classList.toggle(name, states[state] ?? false);
    }
  }
}

/**
 * Applies `style`, `disabled` and `hidePostalCode`; custom properties reach into the shadow root.
 * @param {HTMLElement} host
 * @param {import('./card-fields.js').Field[]} fields
 * @param {Record<string, any>} options
 */
export function applyOptions(host, fields, options) {
  const { base = {}, invalid = {} } = options.style ?? {};
  /** @type {Record<string, unknown>} */
  const looks = {
    '--standin-color': base.color,
    '--standin-size': base.fontSize,
    '--standin-family': base.fontFamily,
    '--standin-placeholder': base['::placeholder']?.color,
    '--standin-invalid': invalid.color,
  };
  for (const [name, value] of Object.entries(looks)) {
    if (typeof value === 'string') host.style.setProperty(name, value);
    else host.style.removeProperty(name);
  }
  for (const { name, box, input } of fields) {
    input.disabled = options.disabled === true;
    if (name === 'zip') box.hidden = options.hidePostalCode === true;
  }
}

/**
 * Marks the one field that is wrong, for eyes and for screen readers, and no other.
 * @param {import('./card-fields.js').Field[]} fields
 * @param {import('./card-fields.js').Field | undefined} wrong
 * @param {string} message
 */
export function markWrong(fields, wrong, message) {
  for (const { box, input } of fields) {
    const isWrong = input === wrong?.input;
    box.classList.toggle('wrong', isWrong);
    if (isWrong) {
      input.setAttribute('aria-invalid', 'true');
      input.setAttribute('aria-description', message);
    } else {
      input.removeAttribute('aria-invalid');
      input.removeAttribute('aria-description');
    }
  }
}

/**
 * Enter sends the form around the element, as it would from an input of the page's own.
 * @param {HTMLElement | null} container
 */
export function submitFormAround(container) {
  const form = container?.closest('form');
  const button = form?.querySelector('button:not([type]), button[type=submit], input[type=submit]');
  if (button instanceof HTMLElement) button.click();
  else form?.requestSubmit();
}
