import { createHash } from 'node:crypto';
import { StripeFailure } from './failure.ts';
import type { FormObject, FormValue } from './form.ts';
import type { IdempotencyKeyRow } from '#standins/stripe/store/tables.ts';

const MAX_KEY_LENGTH = 255;

/** Refuses a key Stripe would refuse; an absent one is null. */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined || header === '') return null;
  if (typeof header === 'string' && header.length <= MAX_KEY_LENGTH) return header;
  const message = `Idempotency keys can be at most ${MAX_KEY_LENGTH} characters long.`;
  throw new StripeFailure(400, { type: 'idempotency_error', message });
}

/**
 * Tells two sets of parameters apart without keeping them. A card's number and code are left out, but for four digits.
 */
export function fingerprint(params: FormObject): string {
  return createHash('sha256')
    .update(JSON.stringify(canonical(params, '')))
    .digest('base64url');
}

function canonical(value: FormValue, key: string): unknown {
  if (typeof value === 'string') {
    if (key === 'cvc') return '';
    return key === 'number' ? value.slice(-4) : value;
  }
  return Object.keys(value)
    .sort()
    .map((name) => [name, canonical(value[name] ?? '', name)]);
}

/** Throws unless a kept answer belongs to this very request: same endpoint, same parameters. */
export function mustMatch(kept: IdempotencyKeyRow, method: string, path: string, print: string, key: string): void {
  const advice = `Try using a key other than '${key}' if you meant to execute a different request.`;
  if (kept.method !== method || kept.path !== path) {
    const message = `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${path}' vs '${kept.path}'). ${advice}`;
    throw new StripeFailure(400, { type: 'idempotency_error', message });
  }
  if (kept.fingerprint === print) return;
  const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. ${advice}`;
  throw new StripeFailure(400, { type: 'idempotency_error', message });
}

/** 409: the same key is being worked on at this moment. */
export function keyInUse(key: string): StripeFailure {
  const message = `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again once the other request finishes.`;
  return new StripeFailure(409, { type: 'idempotency_error', code: 'idempotency_key_in_use', message });
}
