// The inputs of a card element, inside their shadow root: no markup, no style attribute.
import { digitsOf, formatExpiry, formatNumber, showFormatted } from './card-formats.js';
import { brandOf, checkCvc, checkExpiry, checkNumber, checkZip, longestCvc } from './card-rules.js';
import { CARD_SHEET } from './styles.js';

/**
 * @typedef {object} Field
 * @property {'number' | 'expiry' | 'cvc' | 'zip'} name
 * @property {HTMLElement} box
 * @property {HTMLInputElement} input
 * @property {boolean} left whether the customer has been here and gone on
 */

const FIELDS = /** @type {const} */ ([
  {
    name: 'number',
    label: 'Card number',
    placeholder: '1234 1234 1234 1234',
    autocomplete: 'cc-number',
    mode: 'numeric',
  },
  { name: 'expiry', label: 'Expiration date', placeholder: 'MM / YY', autocomplete: 'cc-exp', mode: 'numeric' },
  { name: 'cvc', label: 'CVC', placeholder: 'CVC', autocomplete: 'cc-csc', mode: 'numeric' },
  { name: 'zip', label: 'ZIP', placeholder: 'ZIP', autocomplete: 'postal-code', mode: 'text' },
]);

/**
 * @param {(typeof FIELDS)[number]} plan
 * @returns {Field}
 */
function makeField({ name, label, placeholder, autocomplete, mode }) {
  const box = document.createElement('div');
  box.className = `field ${name}`;
  const caption = document.createElement('label');
  caption.htmlFor = name;
  caption.textContent = label;
  const input = document.createElement('input');
  input.id = name;
  input.name = name;
  input.type = 'text';
  input.placeholder = placeholder;
  input.autocomplete = autocomplete;
  input.inputMode = mode;
  input.spellcheck = false;
  input.setAttribute('autocorrect', 'off');
  const line = document.createElement('div');
  line.className = 'line';
  line.append(input);
  box.append(caption, line);
  return { name, box, input, left: false };
}

/**
 * Builds the fields into a host element's open shadow root.
 * @param {HTMLElement} host
 */
export function makeFields(host) {
  const root = host.attachShadow({ mode: 'open', delegatesFocus: true });
  root.adoptedStyleSheets = [CARD_SHEET];
  const fields = FIELDS.map(makeField);
  const brand = document.createElement('span');
  brand.className = 'brand';
  fields[0]?.input.after(brand);
  const row = document.createElement('div');
  row.className = 'row';
  row.append(...fields.map(({ box }) => box));
  root.append(row);
  return { root, fields, brand };
}

/**
 * What the fields hold, and what is wrong with each.
 * @param {Field[]} fields
 */
export function readFields(fields) {
  /** @param {string} name */
  const valueOf = (name) => fields.find((field) => field.name === name)?.input.value ?? '';
  const number = digitsOf(valueOf('number'));
  const expiry = digitsOf(valueOf('expiry'));
  const cvc = digitsOf(valueOf('cvc'));
  const zip = valueOf('zip').trim();
  const problems = {
    number: checkNumber(number),
    expiry: checkExpiry(expiry, new Date()),
    cvc: checkCvc(cvc, number),
    zip: checkZip(zip),
  };
  return { number, expiry, cvc, zip, brand: brandOf(number), problems };
}

/**
 * Tidies a field after it was typed into.
 * @param {Field} field
 * @param {Field[]} fields
 * @param {boolean} deleting
 */
export function tidyField({ name, input }, fields, deleting) {
  if (name === 'number') showFormatted(input, formatNumber(input.value));
  if (name === 'expiry') showFormatted(input, formatExpiry(input.value, deleting));
  if (name === 'cvc') {
    const number = digitsOf(fields[0]?.input.value ?? '');
    showFormatted(input, digitsOf(input.value).slice(0, longestCvc(number)));
  }
}
