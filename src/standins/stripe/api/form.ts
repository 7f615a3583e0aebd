import { invalidRequest } from './failure.ts';

/** One value of a form: text, or what was nested under it in brackets. Lists are objects with the keys 0, 1, 2… */
export type FormValue = string | FormObject;
export interface FormObject {
  [key: string]: FormValue;
}

// Stripe's own limits are not published; these are far above what its libraries send.
const MAX_PAIRS = 1000;
const MAX_DEPTH = 8;

/** An object without a prototype, so that no key a client sends can mean anything to JavaScript. */
function emptyObject(): FormObject {
  return Object.create(null) as FormObject;
}

/** `metadata[booking_id]` becomes `['metadata', 'booking_id']`. */
function pathOf(key: string): string[] {
  const bracket = key.indexOf('[');
  if (bracket <= 0) return [key];
  const inner = key.slice(bracket);
  if (!/^(\[[^[\]]*\])+$/.test(inner)) return [key];
  return [key.slice(0, bracket), ...inner.slice(1, -1).split('][')];
}

/** Reads a form-encoded body or query string with nested keys. */
export function parseForm(text: string): FormObject {
  const form = emptyObject();
  let pairs = 0;
  for (const [key, value] of new URLSearchParams(text)) {
    pairs += 1;
    const path = pathOf(key);
    if (pairs > MAX_PAIRS || path.length > MAX_DEPTH) throw invalidRequest('Invalid request: too many parameters.');
    put(form, path, value, key);
  }
  return form;
}

/** Reads a JSON body into the same shape: lists number their entries, and what is no text is written as one. */
export function parseJson(text: string): FormObject {
  try {
    const value = formOf(JSON.parse(text), 0);
    if (typeof value === 'object') return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw invalidRequest('Invalid request: the body must be a JSON object.');
}

function formOf(value: unknown, depth: number): FormValue {
  if (depth > MAX_DEPTH) throw invalidRequest('Invalid request: too many parameters.');
  if (typeof value !== 'object' || value === null) return value === null ? '' : String(value);
  const form = emptyObject();
  for (const [key, inner] of Object.entries(value)) form[key] = formOf(inner, depth + 1);
  return form;
}

function put(form: FormObject, path: string[], value: string, fullKey: string): void {
  let place = form;
  path.forEach((segment, depth) => {
    // `expand[]=a&expand[]=b` numbers its entries as they come.
    const key = segment === '' && depth > 0 ? String(Object.keys(place).length) : segment;
    if (depth === path.length - 1) {
      if (typeof place[key] === 'object') throw invalidRequest('Invalid string', { param: fullKey });
      place[key] = value;
      return;
    }
    const next = place[key] ?? emptyObject();
    if (typeof next === 'string') throw invalidRequest('Invalid object', { param: fullKey });
    place[key] = next;
    place = next;
  });
}
