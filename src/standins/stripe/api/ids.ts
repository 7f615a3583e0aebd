import { randomBytes } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
// Bytes from here on would favour the alphabet's first letters, so they are thrown away.
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

/** Random letters and digits from a secure source. */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < FAIR_BYTES && text.length < length) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
}

/** A new id in Stripe's form: `pi_3…`, `ch_3…`, `evt_3…`. */
export function newId(prefix: string): string {
  return `${prefix}_3${randomText(23)}`;
}

/** Now, in the whole seconds Stripe counts in. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
