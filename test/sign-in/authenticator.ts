import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import type { NewPasskey, PasskeyOptions, PasskeyProof } from '#contract/users/passkey-shapes.ts';

/** What a test may have its authenticator do wrong. */
export interface Fault {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  /** The person was there but not verified: no PIN, no finger. */
  readonly unverified?: boolean;
  readonly counter?: number;
  readonly challenge?: string;
  readonly userHandle?: string;
}

/** An authenticator in software: makes ES256 passkeys and signs with them as a browser would hand it on. */
export interface TestAuthenticator {
  create(options: PasskeyOptions, fault?: Fault): NewPasskey;
  get(options: PasskeyOptions, fault?: Fault): PasskeyProof;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();
const base64url = (data: Buffer | string): string => Buffer.from(data).toString('base64url');

const head = (major: number, value: number): Buffer =>
  value < 24
    ? Buffer.from([(major << 5) | value])
    : value < 256
      ? Buffer.from([(major << 5) | 24, value])
      : Buffer.from([(major << 5) | 25, value >> 8, value & 0xff]);

type Cbor = number | string | Buffer | ReadonlyMap<Cbor, Cbor>;

/** As much CBOR (RFC 8949) as a passkey needs. */
const cbor = (value: Cbor): Buffer => {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const pairs = [...(value as ReadonlyMap<Cbor, Cbor>)];
  return Buffer.concat([head(5, pairs.length), ...pairs.flatMap(([key, part]) => [cbor(key), cbor(part)])]);
};

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const coseKey = (key: KeyObject): Buffer => {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return cbor(
    new Map<Cbor, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  );
};

/**
 * An authenticator with one passkey at most, used on the pages of `origin`; `counts` as security keys do, phones do
 * not.
 */
export const anAuthenticator = (origin: string, { counts = true } = {}): TestAuthenticator => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  const host = new URL(origin).hostname;
  let uses = 0;
  let owner = '';
  const clientData = (type: string, options: PasskeyOptions, fault: Fault): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: fault.type ?? type,
        challenge: fault.challenge ?? options['challenge'],
        origin: fault.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const authData = (fault: Fault, flags: number, more: Buffer): Buffer => {
    uses += 1;
    const verified = fault.unverified === true ? 0 : USER_VERIFIED;
    const counter = fault.counter ?? (counts ? uses : 0);
    return Buffer.concat([
      sha256(fault.rpId ?? host),
      Buffer.from([USER_PRESENT | verified | flags]),
      uint32(counter),
      more,
    ]);
  };
  return {
    create: (options, fault = {}) => {
      owner = (options['user'] as { id: string }).id;
      const length = Buffer.from([0, id.length]);
      const credential = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)]);
      const attestation = new Map<Cbor, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData(fault, HAS_CREDENTIAL, credential)],
      ]);
      return {
        id: base64url(id),
        rawId: base64url(id),
        type: 'public-key',
        response: {
          attestationObject: base64url(cbor(attestation)),
          clientDataJSON: base64url(clientData('webauthn.create', options, fault)),
          transports: ['internal'],
        },
      };
    },
    get: (options, fault = {}) => {
      const data = clientData('webauthn.get', options, fault);
      const authenticatorData = authData(fault, 0, Buffer.alloc(0));
      const signature = createSign('sha256')
        .update(Buffer.concat([authenticatorData, sha256(data)]))
        .sign(privateKey);
      return {
        id: base64url(id),
        rawId: base64url(id),
        type: 'public-key',
        response: {
          authenticatorData: base64url(authenticatorData),
          clientDataJSON: base64url(data),
          signature: base64url(signature),
          userHandle: fault.userHandle ?? owner,
        },
      };
    },
  };
};
