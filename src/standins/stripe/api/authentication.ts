import type { IncomingMessage } from 'node:http';
import { StripeFailure } from './failure.ts';
import type { FormObject } from './form.ts';

/** The pair of keys of this stand-in's one account. */
export interface Keys {
  secretKey: string;
  publishableKey: string;
}

const NO_KEY =
  "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See https://stripe.com/docs/api#authentication for details, or we can help at https://support.stripe.com/.";
const SECRET_WANTED =
  'This API call cannot be made with a publishable API key. Please use a secret API key. You can find a list of your API keys at https://dashboard.stripe.com/account/apikeys.';

/** Says which of the two keys a call came with; throws 401 for neither, 403 where only the secret one will do. */
export function authenticate(
  request: IncomingMessage,
  params: FormObject,
  keys: Keys,
  fromBrowser: boolean,
): 'publishable' | 'secret' {
  const key = keyOf(request, params);
  if (key === undefined) throw new StripeFailure(401, { type: 'invalid_request_error', message: NO_KEY });
  if (key === keys.secretKey) return 'secret';
  if (key !== keys.publishableKey) {
    const message = `Invalid API Key provided: ${masked(key)}`;
    throw new StripeFailure(401, { type: 'invalid_request_error', message });
  }
  if (fromBrowser) return 'publishable';
  const code = 'secret_key_required';
  throw new StripeFailure(403, { type: 'invalid_request_error', code, message: SECRET_WANTED });
}

function keyOf(request: IncomingMessage, params: FormObject): string | undefined {
  const [scheme, credentials] = (request.headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() === 'bearer' && credentials) return credentials;
  if (scheme?.toLowerCase() === 'basic' && credentials) {
    return Buffer.from(credentials, 'base64').toString('utf8').split(':')[0];
  }
  // Only browsers send their key as a parameter: a secret one has no business there and is not looked for.
  const key = params['key'];
  return typeof key === 'string' && key.startsWith('pk_') ? key : undefined;
}

function masked(key: string): string {
  return key.length < 16 ? '*'.repeat(8) : `${key.slice(0, 8)}${'*'.repeat(12)}${key.slice(-4)}`;
}
