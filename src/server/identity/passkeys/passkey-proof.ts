import type { NewPasskey, PasskeyOptions, PasskeyProof } from '#contract/users/passkey-shapes.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { badFields, AppError } from '#server/platform/errors.ts';
import {
  CHALLENGE_SECONDS,
  dropChallengesOf,
  insertChallenge,
  selectCredentialIds,
  selectPasskey,
  takeChallenge,
  type ChallengeUse,
  type StoredPasskey,
} from './passkeys.queries.ts';
import { newToken } from '#server/identity/random-token.ts';

/** Loaded with the first passkey: most of a shop's days begin without one, and it is large. */
const library = () => import('@simplewebauthn/server');

const SHOP_NAME = 'Dogear';
/** EdDSA, ES256 and RS256: what authenticators make today. */
const ALGORITHMS = [-8, -7, -257];
const TIMEOUT_MS = CHALLENGE_SECONDS * 1_000;

/** Passkeys belong to the host users see, and are used from its pages only. */
const hostOf = (config: Config): string => new URL(config.publicUrl).hostname;

const bytesOf = (uuid: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(uuid.replaceAll('-', ''), 'hex'));

const unknownPasskey = (): AppError =>
  new AppError('wrong_credentials', 'This passkey does not open an account here', {
    fields: { passkey: 'This passkey does not open an account here' },
  });

const challengeOf = (clientDataJSON: string): string => {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')) as {
      challenge?: unknown;
    };
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
};

/**
 * The challenge an answer was made for, taken away so that it is good once; undefined when we gave no such one for
 * this.
 */
const taken = async (db: Db, clientDataJSON: string, use: ChallengeUse): Promise<string | undefined> => {
  const challenge = challengeOf(clientDataJSON);
  return challenge !== '' && (await takeChallenge(db, challenge, use)) ? challenge : undefined;
};

/** A challenge for this use. A session has one for each purpose: the newest. */
const newChallenge = async (db: Db, use: ChallengeUse): Promise<string> => {
  const challenge = newToken();
  if (use.sessionId === null) await insertChallenge(db, challenge, use);
  else {
    await db.transaction().execute(async (trx) => {
      await dropChallengesOf(trx, use);
      await insertChallenge(trx, challenge, use);
    });
  }
  return challenge;
};

/** What the browser needs to make a passkey for a user. */
export const optionsToAdd = async (
  db: Db,
  config: Config,
  user: { userId: string; sessionId: string; email: string; name: string },
): Promise<PasskeyOptions> => {
  const challenge = await newChallenge(db, { purpose: 'add', sessionId: user.sessionId });
  const options = await (
    await library()
  ).generateRegistrationOptions({
    rpName: SHOP_NAME,
    rpID: hostOf(config),
    userID: bytesOf(user.userId),
    userName: user.email,
    userDisplayName: user.name,
    challenge: Buffer.from(challenge, 'base64url'),
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: await selectCredentialIds(db, user.userId),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
  return { ...options };
};

/** What the browser needs to use a passkey: one of `userId`, or whichever the user has on it. */
export const optionsToUse = async (
  db: Db,
  config: Config,
  use: ChallengeUse & { purpose: 'sign-in' | 'again' },
  userId?: string,
): Promise<PasskeyOptions> => {
  const challenge = await newChallenge(db, use);
  const options = await (
    await library()
  ).generateAuthenticationOptions({
    rpID: hostOf(config),
    challenge: Buffer.from(challenge, 'base64url'),
    timeout: TIMEOUT_MS,
    userVerification: 'required',
    allowCredentials: userId === undefined ? [] : await selectCredentialIds(db, userId),
  });
  return { ...options };
};

export interface MadePasskey {
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
}

/** Checks a passkey that a browser made: our challenge, our page, the user verified by the authenticator. Else 400. */
export const checkNewPasskey = async (
  db: Db,
  config: Config,
  passkey: NewPasskey,
  sessionId: string,
): Promise<MadePasskey> => {
  const refusal = badFields({ passkey: 'This passkey could not be checked; please try again' });
  const challenge = await taken(db, passkey.response.clientDataJSON, { purpose: 'add', sessionId });
  if (challenge === undefined) throw refusal;
  const { verifyRegistrationResponse } = await library();
  const checked = await verifyRegistrationResponse({
    response: { ...passkey, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: config.publicUrl,
    expectedRPID: hostOf(config),
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined);
  if (checked?.registrationInfo === undefined) throw refusal;
  const { id, publicKey, counter } = checked.registrationInfo.credential;
  return { credentialId: id, publicKey, counter, transports: passkey.response.transports ?? [] };
};

/**
 * Whose passkey signed our challenge, with the count its authenticator told: to be noted with `notePasskeyUse`, which
 * may still find it stale. An unknown passkey, a wrong signature and a challenge that is not ours are one 401.
 */
export const checkPasskey = async (
  db: Db,
  config: Config,
  proof: PasskeyProof,
  use: ChallengeUse & { purpose: 'sign-in' | 'again' },
): Promise<{ passkey: StoredPasskey; counter: number }> => {
  const challenge = await taken(db, proof.response.clientDataJSON, use);
  const passkey = challenge === undefined ? undefined : await selectPasskey(db, proof.id);
  if (challenge === undefined || passkey === undefined) throw unknownPasskey();
  const { userHandle } = proof.response;
  if (userHandle !== undefined && !Buffer.from(userHandle, 'base64url').equals(bytesOf(passkey.userId))) {
    throw unknownPasskey();
  }
  const { verifyAuthenticationResponse } = await library();
  const checked = await verifyAuthenticationResponse({
    response: { ...proof, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: config.publicUrl,
    expectedRPID: hostOf(config),
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: Uint8Array.from(passkey.publicKey),
      counter: passkey.counter,
    },
  }).catch(() => undefined);
  if (checked?.verified !== true) throw unknownPasskey();
  return { passkey, counter: checked.authenticationInfo.newCounter };
};

export { unknownPasskey };
