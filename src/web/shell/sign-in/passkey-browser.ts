import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnError,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { NewPasskey, PasskeyOptions, PasskeyProof } from '#contract/users/passkey-shapes.ts';
import { ApiError, messageOf } from '#web/api/api-error.ts';

/** Whether this browser knows passkeys at all; false on pages that are not served over https or from this machine. */
export const knowsPasskeys = (): boolean => browserSupportsWebAuthn();

/** Has the browser make a passkey. The person may be asked for their finger, face or PIN. */
export const makePasskey = async (options: PasskeyOptions): Promise<NewPasskey> => {
  // The shop made them for this very call, in the form the standard gives them.
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const { id, rawId, response } = await startRegistration({ optionsJSON });
  const { attestationObject, clientDataJSON, transports } = response;
  return {
    id,
    rawId,
    type: 'public-key',
    response: { attestationObject, clientDataJSON, ...(transports !== undefined && { transports }) },
  };
};

/** Has the browser sign with a passkey. The person may be asked which one, and for their finger, face or PIN. */
export const showPasskey = async (options: PasskeyOptions): Promise<PasskeyProof> => {
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const { id, rawId, response } = await startAuthentication({ optionsJSON });
  const { authenticatorData, clientDataJSON, signature, userHandle } = response;
  return {
    id,
    rawId,
    type: 'public-key',
    response: { authenticatorData, clientDataJSON, signature, ...(userHandle !== undefined && { userHandle }) },
  };
};

const SENTENCES: Partial<Record<string, string>> = {
  InvalidStateError: 'This device has a passkey for your account already.',
  NotAllowedError: 'The passkey was not used: it was cancelled, or took too long. Please try again.',
  AbortError: 'The passkey was not used: it was cancelled, or took too long. Please try again.',
  SecurityError: 'Passkeys belong to the address of the shop: please open it under that one.',
  NotSupportedError: 'This device cannot make such a passkey.',
  ConstraintError: 'This device cannot ask for your finger, face or PIN, which a passkey needs here.',
};

/** The sentence to show for anything that went wrong with a passkey: in the browser, or in the shop. */
export const passkeyMessageOf = (error: unknown): string => {
  if (error instanceof ApiError) return messageOf(error);
  if (error instanceof WebAuthnError || error instanceof DOMException) {
    return SENTENCES[error.name] ?? 'The browser could not use a passkey. Please try again.';
  }
  return messageOf(error);
};

/** As what a form shows: an `ApiError` with the sentence for what the browser said. */
export const asApiError = (error: unknown): unknown =>
  error instanceof ApiError ? error : new ApiError({ status: 0, code: 'unreadable', message: passkeyMessageOf(error) });
