import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { Db } from '#server/platform/postgres/db.ts';
import { insertSigningKey, lockSigningKeys, selectSigningKeys, type StoredKey } from './signing-keys.queries.ts';

/** EdDSA with Ed25519: the one algorithm access tokens are signed with and accepted in. */
export const SIGNING_ALGORITHM = 'EdDSA';

/** A key that was added, or taken away because it leaked, is known to every process after this time. */
const RING_MAX_AGE_MS = 60_000;
/** A kid nobody knows makes us look again, but not more often than this, whoever sends how many. */
const RING_MIN_AGE_MS = 2_000;

interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

interface KeyRing {
  readonly newest: SigningKey;
  readonly byKid: ReadonlyMap<string, SigningKey>;
}

const rings = new WeakMap<Db, { ring: Promise<KeyRing>; readAtMs: number }>();

const asCryptoKey = (key: CryptoKey | Uint8Array): CryptoKey => {
  if (key instanceof Uint8Array) throw new Error('a stored signing key is symmetric');
  return key;
};

const openKey = async (stored: StoredKey): Promise<SigningKey> => {
  const jwk = stored.privateJwk as JWK;
  const { d: _secret, ...publicJwk } = jwk;
  return {
    kid: stored.kid,
    privateKey: asCryptoKey(await importJWK(jwk, SIGNING_ALGORITHM)),
    publicKey: asCryptoKey(await importJWK(publicJwk, SIGNING_ALGORITHM)),
  };
};

const makeKey = async (): Promise<StoredKey> => {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const privateJwk = await exportJWK(privateKey);
  return { kid: await calculateJwkThumbprint(privateJwk), privateJwk };
};

const makeFirstKey = async (db: Db): Promise<StoredKey[]> => {
  const made = await makeKey();
  return db.transaction().execute(async (trx) => {
    await lockSigningKeys(trx);
    const already = await selectSigningKeys(trx);
    if (already.length > 0) return already;
    await insertSigningKey(trx, made);
    return [made];
  });
};

const readRing = async (db: Db): Promise<KeyRing> => {
  const found = await selectSigningKeys(db);
  const keys = await Promise.all((found.length > 0 ? found : await makeFirstKey(db)).map(openKey));
  const [newest] = keys;
  if (newest === undefined) throw new Error('there is no signing key');
  return { newest, byKid: new Map(keys.map((key) => [key.kid, key])) };
};

/** The keys of this database, read again when what we have is older than `maxAgeMs`. */
const ringOf = (db: Db, maxAgeMs: number): Promise<KeyRing> => {
  const known = rings.get(db);
  if (known !== undefined && performance.now() - known.readAtMs < maxAgeMs) return known.ring;
  const ring = readRing(db);
  rings.set(db, { ring, readAtMs: performance.now() });
  // A failure is told to whoever asked and not remembered.
  ring.catch(() => rings.delete(db));
  return ring;
};

/** The key that signs now; made at the first call ever, once for all processes of the database. */
export const newestSigningKey = async (db: Db): Promise<SigningKey> => (await ringOf(db, RING_MAX_AGE_MS)).newest;

/** The public key with this id from our own store, if there is one. */
export const verificationKey = async (db: Db, kid: string): Promise<CryptoKey | undefined> => {
  const known = (await ringOf(db, RING_MAX_AGE_MS)).byKid.get(kid);
  return (known ?? (await ringOf(db, RING_MIN_AGE_MS)).byKid.get(kid))?.publicKey;
};
