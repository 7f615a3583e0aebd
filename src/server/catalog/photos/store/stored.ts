import { createHash } from 'node:crypto';

/** The two forms in which photos are kept. */
export type PhotoType = 'image/webp' | 'image/jpeg';

/**
 * Where photos lie: a folder, or an object store that speaks S3. Keys are small letters, digits, dashes, points and
 * slashes.
 */
export interface PhotoStore {
  /**
   * Stores whole or not at all; the same key again replaces what was there. What was put is read back and compared.
   * Throws `StoreFullError` when there is no room.
   */
  put(key: string, bytes: Uint8Array, type: PhotoType): Promise<void>;
  /** Undefined where nothing has this key. */
  get(key: string): Promise<Uint8Array | undefined>;
  /** What is not there counts as deleted. */
  delete(keys: readonly string[]): Promise<void>;
  /** All keys that begin so, with when each was stored, in any order. */
  keys(prefix: string): AsyncIterable<StoredKey>;
}

export interface StoredKey {
  readonly key: string;
  readonly at: Date;
}

/** The disk or the object store has no room for another photo. */
export class StoreFullError extends Error {
  override readonly name = 'StoreFullError';
  constructor(cause: unknown) {
    super('There is no room for another photo.', { cause });
  }
}

/** What was stored is not what was sent: a broken disk, or a store that keeps the chunks of a transfer. */
export class StoredOtherwiseError extends Error {
  override readonly name = 'StoredOtherwiseError';
  constructor(key: string) {
    super(`The photo store answered other bytes than were put at ${key}.`);
  }
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64');

export const isSame = (one: Uint8Array | undefined, other: Uint8Array): boolean =>
  one !== undefined && hashOf(one) === hashOf(other);

/** Throws for a key that could leave the folder, or that file systems and object stores read differently. */
export const checkKey = (key: string): void => {
  if (!/^[0-9a-z-]+(\.[0-9a-z]+)?(\/[0-9a-z-]+(\.[0-9a-z]+)?)*$/.test(key))
    throw new TypeError(`"${key}" is no key of a photo.`);
};

/** The error and what caused it, down to the first: libraries wrap what the disk or the store said. */
export const causesOf = function* (error: unknown): Generator<Error> {
  for (let each = error; each instanceof Error; each = each.cause) yield each;
};
