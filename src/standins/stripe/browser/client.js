// Calls of the stand-in's HTTP API, from the page that loaded this script.
import { connectionError } from './errors.js';

// The script lies beside the API, so the page's own origin and prefix lead there. Only known while it is being loaded.
const OWN_ADDRESS = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : '';
const API_BASE = new URL('v1/', new URL(OWN_ADDRESS || '/standins/stripe/stripe.js', location.href));

/**
 * Flattens `{ card: { number } }` to `card[number]`, leaving out what is absent.
 * @param {Record<string, any>} values
 * @param {(key: string, value: string) => void} add
 * @param {string} [prefix]
 */
function flatten(values, add, prefix = '') {
  for (const [key, value] of Object.entries(values)) {
    const name = prefix === '' ? key : `${prefix}[${key}]`;
    if (value === undefined || value === null) continue;
    if (typeof value === 'object') flatten(value, add, name);
    else add(name, String(value));
  }
}

/**
 * One call with the publishable key. Never throws: what goes wrong is in `error`, as Stripe.js has it.
 * @param {string} publishableKey
 * @param {'GET' | 'POST'} method
 * @param {string} path
 * @param {Record<string, any>} values
 * @returns {Promise<{ answer?: any, error?: any }>}
 */
export async function callApi(publishableKey, method, path, values) {
  const form = new URLSearchParams();
  flatten({ ...values, key: publishableKey }, (key, value) => form.append(key, value));
  const url = new URL(path, API_BASE);
  if (method === 'GET') url.search = form.toString();
  try {
    const response = await fetch(url, {
      method,
      ...(method === 'POST' ? { body: form } : {}),
      headers: { Accept: 'application/json' },
      // The shop's cookies are none of a payment provider's business.
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
    });
    const answer = await response.json();
    // A refusal in Stripe's shape has a type; anything else came from somebody in between.
    if (answer?.error !== undefined) return { error: answer.error.type ? answer.error : connectionError() };
    return response.ok && typeof answer?.object === 'string' ? { answer } : { error: connectionError() };
  } catch {
    return { error: connectionError() };
  }
}
