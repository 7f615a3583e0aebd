import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { TidyBankDetails } from '#contract/money/bank-details.ts';
import { AppError } from '#server/platform/errors.ts';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const ID_BYTES = 4;

/** Bank details as they are stored. */
export interface Sealed {
  /** Which key they need. */
  readonly keyId: string;
  /** Nonce, tag, and what was encrypted. */
  readonly sealed: Buffer;
}

/** One key of the operator's; what encrypts and what compares is derived from it, each for its purpose alone. */
interface DetailsKey {
  readonly id: string;
  readonly encrypting: Buffer;
  readonly comparing: Buffer;
}

const derived = (key: Buffer, purpose: string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `dogear bank details: ${purpose}`, bytes));

const keyOf = (base64: string): DetailsKey => {
  const key = Buffer.from(base64, 'base64');
  return {
    id: derived(key, 'name', ID_BYTES).toString('hex'),
    encrypting: derived(key, 'encrypt', KEY_BYTES),
    comparing: derived(key, 'compare', KEY_BYTES),
  };
};

const rings = new WeakMap<readonly string[], readonly DetailsKey[]>();

const ringOf = (keys: readonly string[]): readonly DetailsKey[] => {
  const ring = rings.get(keys) ?? keys.map(keyOf);
  rings.set(keys, ring);
  return ring;
};

const unreadable = (): AppError =>
  new AppError('payouts_refused', 'The shop was started without the key of these bank details (PAYOUT_DETAILS_KEY)');

const newest = (keys: readonly string[]): DetailsKey => {
  const [key] = ringOf(keys);
  if (key === undefined) throw unreadable();
  return key;
};

/** The id of the key that encrypts from now on; undefined where there is none. */
export const newestKeyId = (keys: readonly string[]): string | undefined => ringOf(keys)[0]?.id;

/** What they are bound to: somebody else's row cannot hold them. */
const boundTo = (sellerId: string): Buffer => Buffer.from(`payout details of ${sellerId}`);

/** Encrypts a seller's bank details with the first of `keys`. */
export const sealDetails = (keys: readonly string[], sellerId: string, details: TidyBankDetails): Sealed => {
  const key = newest(keys);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key.encrypting, iv, { authTagLength: TAG_BYTES }).setAAD(boundTo(sellerId));
  const text = Buffer.concat([cipher.update(JSON.stringify(details)), cipher.final()]);
  return { keyId: key.id, sealed: Buffer.concat([iv, cipher.getAuthTag(), text]) };
};

/** A seller's bank details; 409 where none of `keys` is theirs, and an error where they are not that seller's. */
export const openDetails = (keys: readonly string[], sellerId: string, { keyId, sealed }: Sealed): TidyBankDetails => {
  const key = ringOf(keys).find(({ id }) => id === keyId);
  if (key === undefined) throw unreadable();
  const [iv, tag] = [sealed.subarray(0, IV_BYTES), sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
  const decipher = createDecipheriv(ALGORITHM, key.encrypting, iv, { authTagLength: TAG_BYTES })
    .setAAD(boundTo(sellerId))
    .setAuthTag(tag);
  const text = Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  // Nobody without the key can have written anything else.
  return JSON.parse(text.toString('utf8')) as TidyBankDetails;
};

/** The same for the same account, whoever's it is, under the first of `keys`; nothing can be read from it. */
export const fingerprintOf = (keys: readonly string[], details: TidyBankDetails): Buffer => {
  const account = details.kind === 'us' ? `us ${details.routing} ${details.account}` : `iban ${details.iban}`;
  return createHmac('sha256', newest(keys).comparing).update(account).digest();
};
