import { invalidRequest, missingParam } from './failure.ts';
import type { FormObject } from './form.ts';

const MAX_METADATA_KEYS = 50;
const MAX_METADATA_KEY = 40;
const MAX_METADATA_VALUE = 500;
const MAX_TEXT = 5000;

/** A text, or undefined when it is absent or empty (Stripe reads an empty value as "unset"). */
export function text(form: FormObject, key: string, param = key): string | undefined {
  const value = form[key];
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw invalidRequest('Invalid string', { param });
  if (value.length > MAX_TEXT)
    throw invalidRequest(`Invalid string: must be at most ${MAX_TEXT} characters`, { param });
  return value;
}

/** A text that must be there. */
export function requiredText(form: FormObject, key: string, param = key): string {
  const value = text(form, key, param);
  if (value === undefined) throw missingParam(param);
  return value;
}

/** A whole number, or undefined when absent. */
export function integer(form: FormObject, key: string, param = key): number | undefined {
  const value = text(form, key, param);
  if (value === undefined) return undefined;
  if (!/^-?\d{1,12}$/.test(value)) {
    throw invalidRequest(`Invalid integer: ${value.slice(0, 40)}`, { code: 'parameter_invalid_integer', param });
  }
  return Number(value);
}

/** `true` or `false`, or undefined when absent. */
export function flag(form: FormObject, key: string, param = key): boolean | undefined {
  const value = text(form, key, param);
  if (value === undefined) return undefined;
  if (value !== 'true' && value !== 'false') throw invalidRequest(`Invalid boolean: ${value.slice(0, 40)}`, { param });
  return value === 'true';
}

/** What was nested under a key, or undefined when absent or empty. */
export function nested(form: FormObject, key: string, param = key): FormObject | undefined {
  const value = form[key];
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string') throw invalidRequest('Invalid object', { param });
  return value;
}

/** A list of texts (`expand[]=a&expand[]=b`), empty when absent. */
export function list(form: FormObject, key: string): string[] {
  const value = form[key];
  if (value === undefined || value === '') return [];
  if (typeof value === 'string') throw invalidRequest('Invalid array', { param: key });
  return Object.values(value).map((entry) => {
    if (typeof entry !== 'string') throw invalidRequest('Invalid string', { param: `${key}[]` });
    return entry;
  });
}

/** One of a closed list of texts, or undefined when absent. */
export function oneOf<Choice extends string>(form: FormObject, key: string, choices: readonly Choice[]) {
  const value = text(form, key);
  if (value === undefined) return undefined;
  const choice = choices.find((candidate) => candidate === value);
  if (choice === undefined) {
    throw invalidRequest(`Invalid ${key}: must be one of ${choices.join(', ')}`, { param: key });
  }
  return choice;
}

/**
 * The metadata after a call: given keys replace old ones, an empty value removes its key, an empty whole clears all.
 */
export function mergedMetadata(form: FormObject, before: Record<string, string> = {}): Record<string, string> {
  const given = form['metadata'];
  if (given === undefined) return before;
  if (given === '') return {};
  if (typeof given === 'string') throw invalidRequest('Invalid object', { param: 'metadata' });
  const merged = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(given)) {
    const param = `metadata[${key}]`;
    if (typeof value !== 'string') throw invalidRequest('Metadata values must be strings.', { param });
    if (key.length > MAX_METADATA_KEY || value.length > MAX_METADATA_VALUE) {
      const limit = `Metadata keys can have up to ${MAX_METADATA_KEY} characters and values up to ${MAX_METADATA_VALUE}.`;
      throw invalidRequest(limit, { param });
    }
    if (value === '') merged.delete(key);
    else merged.set(key, value);
  }
  if (merged.size > MAX_METADATA_KEYS) {
    throw invalidRequest(`Metadata can have up to ${MAX_METADATA_KEYS} keys.`, { param: 'metadata' });
  }
  return Object.fromEntries(merged);
}

/** Refuses a parameter Stripe (or the part of it that stands in here) does not know, so that a typing slip is seen. */
export function onlyKnown(form: FormObject, known: ReadonlySet<string>): void {
  for (const key of Object.keys(form)) {
    if (known.has(key)) continue;
    throw invalidRequest(`Received unknown parameter: ${key}`, { code: 'parameter_unknown', param: key });
  }
}
