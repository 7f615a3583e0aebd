import { invalidRequest } from './api/failure.ts';

/** What was sent to the control API. */
export type Fields = Record<string, unknown>;

export function fieldsIn(body: string): Fields {
  if (body === '') return {};
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // told below
  }
  throw invalidRequest('Send a JSON object.');
}

export function textIn(fields: Fields, key: string): string {
  const value = fields[key];
  if (typeof value === 'string' && value !== '') return value;
  throw invalidRequest(`Missing or invalid: ${key}.`, { param: key });
}

export function choiceIn<Choice extends string>(
  fields: Fields,
  key: string,
  choices: readonly Choice[],
): Choice | undefined {
  const value = fields[key];
  if (value === undefined) return undefined;
  const choice = choices.find((candidate) => candidate === value);
  if (choice === undefined)
    throw invalidRequest(`Invalid ${key}: must be one of ${choices.join(', ')}`, { param: key });
  return choice;
}

export function numberIn(fields: Fields, key: string, max: number, whole: boolean): number | undefined {
  const value = fields[key];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value >= 0 && value <= max && (!whole || Number.isInteger(value))) return value;
  throw invalidRequest(`Invalid ${key}: must be a ${whole ? 'whole ' : ''}number from 0 to ${max}`, { param: key });
}

/** A whole number that may be below zero. */
export function signedIn(fields: Fields, key: string, max: number): number {
  const value = fields[key];
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= max) return value;
  throw invalidRequest(`Missing or invalid: ${key} must be a whole number from -${max} to ${max}`, { param: key });
}

export function flagIn(fields: Fields, key: string): boolean {
  const value = fields[key];
  if (typeof value === 'boolean') return value;
  throw invalidRequest(`Missing or invalid: ${key}.`, { param: key });
}
