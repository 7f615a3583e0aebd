import { Type, type Static } from 'typebox';

const Base64Url = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]*$' });

/** Credential ids are at most 1,023 bytes (WebAuthn level 3). */
const CredentialId = Base64Url(1_400);

/** What `navigator.credentials.create` answered, in the JSON of WebAuthn level 3. */
export const NewPasskey = Type.Object({
  id: CredentialId,
  rawId: CredentialId,
  type: Type.Literal('public-key'),
  response: Type.Object({
    attestationObject: Base64Url(40_000),
    clientDataJSON: Base64Url(4_000),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 30 }), { maxItems: 10 })),
  }),
});
export type NewPasskey = Static<typeof NewPasskey>;

/** What `navigator.credentials.get` answered, in the JSON of WebAuthn level 3. */
export const PasskeyProof = Type.Object({
  id: CredentialId,
  rawId: CredentialId,
  type: Type.Literal('public-key'),
  response: Type.Object({
    authenticatorData: Base64Url(4_000),
    clientDataJSON: Base64Url(4_000),
    signature: Base64Url(8_000),
    userHandle: Type.Optional(Type.String({ maxLength: 100 })),
  }),
});
export type PasskeyProof = Static<typeof PasskeyProof>;

/** Options for the browser's WebAuthn call, in the JSON of WebAuthn level 3; they go into it as they are. */
export const PasskeyOptions = Type.Record(Type.String(), Type.Unknown());
export type PasskeyOptions = Static<typeof PasskeyOptions>;
