import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { authenticate, type Keys } from './authentication.ts';
import type { Call, Handler } from './call.ts';
import { expanded } from './expand.ts';
import { invalidRequest, StripeFailure } from './failure.ts';
import { FAULTS_HEADER, type Faults } from '#standins/stripe/faults.ts';
import { type FormObject, parseForm, parseJson } from './form.ts';
import { fingerprint, keyInUse, mustMatch, readIdempotencyKey } from './idempotency.ts';
import { randomText } from './ids.ts';
import { STRIPE_API_VERSION } from '#standins/stripe/keys.ts';
import { list } from './params.ts';
import { findRoute } from './routes.ts';
import type { Store } from '#standins/stripe/store/store.ts';

export interface ApiAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** The work is done, and the connection is cut before the answer. */
  cut?: boolean;
}

export interface ApiDeps {
  store: Store;
  keys: Keys;
  /** How many webhook addresses there are now. */
  endpoints: () => number;
  /** Takes the webhooks a call brought about, once they are on disk. */
  deliver: (ids: string[]) => void;
  faults: Faults;
  /** Where a browser finds this stand-in; absent: where it was called. */
  publicUrl: string | undefined;
  log: (message: string) => void;
}

/** Answers calls under /v1 and /v2 as Stripe's API does. An answer is given only when what it says is on disk. */
export function createApi(deps: ApiDeps) {
  const keysAtWork = new Set<string>();
  // Webhooks of calls whose rows could not be written: the next write that succeeds takes those along.
  let delayed: string[] = [];

  async function answer(request: IncomingMessage, url: URL, body: string): Promise<ApiAnswer> {
    const requestId = `req_${randomText(14)}`;
    const headers: Record<string, string> = {
      'Request-Id': requestId,
      'Stripe-Version': String(request.headers['stripe-version'] ?? STRIPE_API_VERSION).replaceAll(/[^\w.-]/g, ''),
    };
    let key: string | null = null;
    try {
      const params = readParams(request, url, body);
      const found = findRoute(request.method ?? '', url.pathname);
      if (found === undefined) throw unrecognized(request.method ?? '', url.pathname);
      const { route, id } = found;
      const publishable = authenticate(request, params, deps.keys, route.fromBrowser) === 'publishable';
      const wantedKey = route.method === 'POST' ? readIdempotencyKey(request.headers['idempotency-key']) : null;
      if (wantedKey !== null && keysAtWork.has(wantedKey)) throw keyInUse(wantedKey);
      if (wantedKey !== null) {
        key = wantedKey;
        keysAtWork.add(key);
        headers['Idempotency-Key'] = key.replaceAll(/[^\x20-\x7e]/g, '?');
      }
      const call: Omit<Call, 'trx'> = {
        params,
        account: accountOf(request, deps),
        publicUrl: deps.publicUrl ?? `http://${request.headers.host ?? 'localhost'}`,
        id,
        publishable,
        requestId,
        idempotencyKey: key,
        endpoints: deps.endpoints(),
        deliveries: [],
      };
      const isSpared = request.headers[FAULTS_HEADER] === 'off';
      const strike = isSpared ? undefined : deps.faults.ofCall(`${route.method} ${route.path}`, publishable);
      if (strike?.fault === 'hang') await sleep(strike.ms);
      // The second version finishes failed work: its key repeats no failure.
      const isFinished = url.pathname.startsWith('/v2/');
      const handler = strike?.fault === 'fail' && !isFinished ? failing(route.handler) : route.handler;
      const done = await run(call, handler, { method: route.method, path: url.pathname }, headers);
      if (strike?.fault === 'fail' && isFinished) throw brokenOff();
      return strike?.fault === 'cut' ? { ...done, cut: true } : done;
    } catch (error) {
      return refusal(error, headers, requestId);
    } finally {
      if (key !== null) keysAtWork.delete(key);
    }
  }

  /** Does the work, keeps its answer under the idempotency key in the same transaction, and waits for the disk. */
  async function run(
    request: Omit<Call, 'trx'>,
    handler: Handler,
    at: { method: string; path: string },
    headers: Record<string, string>,
  ): Promise<ApiAnswer> {
    const { idempotencyKey: key, requestId } = request;
    const print = key === null ? '' : fingerprint(request.params);
    const kept = key === null ? undefined : deps.store.get('idempotency_keys', key);
    if (key !== null && kept !== undefined) {
      mustMatch(kept, at.method, at.path, print, key);
      await deps.store.durable();
      const replayed = { 'Idempotent-Replayed': 'true', 'Original-Request': kept.requestId };
      return { status: kept.status, headers: { ...headers, ...replayed }, body: kept.body };
    }
    if (key !== null) headers['Original-Request'] = requestId;
    const result = deps.store.transact((trx) => {
      const call: Call = { ...request, trx };
      const { status, answer: told } = outcomeOf(handler, call);
      const body = JSON.stringify(told, null, 2);
      if (key !== null) {
        const row = { ...at, fingerprint: print, status, body, requestId, createdAtMs: Date.now() };
        trx.put('idempotency_keys', key, row);
      }
      return { status, headers, body };
    });
    try {
      await deps.store.durable();
    } catch (error) {
      delayed.push(...request.deliveries);
      throw error;
    }
    const due = [...delayed, ...request.deliveries];
    delayed = [];
    deps.deliver(due);
    return result;
  }

  function refusal(error: unknown, headers: Record<string, string>, requestId: string): ApiAnswer {
    if (error instanceof StripeFailure) {
      return { status: error.status, headers, body: JSON.stringify({ error: error.body }, null, 2) };
    }
    // Not the whole error: a message of ours never holds what was sent, one of the runtime's might.
    deps.log(`${requestId} failed inside the Stripe stand-in: ${error instanceof Error ? error.stack : 'unknown'}`);
    const message = `An unknown error occurred in the Stripe stand-in (${requestId}).`;
    return { status: 500, headers, body: JSON.stringify({ error: { type: 'api_error', message } }, null, 2) };
  }

  return { answer };
}

function brokenOff(): StripeFailure {
  return new StripeFailure(500, { type: 'api_error', message: 'An unknown error occurred' }, true);
}

/** Does the work and fails then; what it did stays done, and its key repeats the failure. */
function failing(handler: Handler): Handler {
  return (call) => {
    handler(call);
    throw brokenOff();
  };
}

/** A refusal that came after the work had begun (a declined card) is an outcome like any other. */
function outcomeOf(handler: Handler, call: Call): { status: number; answer: object } {
  try {
    return { status: 200, answer: expanded(call.trx, handler(call), list(call.params, 'expand')) };
  } catch (error) {
    if (!(error instanceof StripeFailure && error.executed)) throw error;
    return { status: error.status, answer: { error: error.body } };
  }
}

function readParams(request: IncomingMessage, url: URL, body: string): FormObject {
  const type = request.headers['content-type'] ?? '';
  if (url.pathname.startsWith('/v2/')) {
    if (body === '') return parseForm(url.search.slice(1));
    if (!type.startsWith('application/json')) throw invalidRequest('Send application/json to the second version.');
    return parseJson(body);
  }
  if (body !== '' && !type.startsWith('application/x-www-form-urlencoded')) {
    throw invalidRequest(
      `Invalid request (check that your POST content type is application/x-www-form-urlencoded). If you have any questions, we can help at https://support.stripe.com/.`,
    );
  }
  const query = url.search.slice(1);
  return parseForm(query !== '' && body !== '' ? `${query}&${body}` : query + body);
}

/** The account that a call is about; one that is not connected is refused as Stripe refuses another shop's. */
function accountOf(request: IncomingMessage, { store, keys }: ApiDeps): string | null {
  const id = request.headers['stripe-account'];
  if (id === undefined) return null;
  if (typeof id === 'string' && store.get('accounts', id) !== undefined) return id;
  const message = `The provided key '${keys.secretKey.slice(0, 8)}***' does not have access to account '${String(id).slice(0, 100)}' (or that account does not exist). Application access may have been revoked.`;
  throw new StripeFailure(403, { type: 'invalid_request_error', code: 'account_invalid', message });
}

function unrecognized(method: string, path: string): StripeFailure {
  const place = `${method}: ${path.slice(0, 200)}`;
  const message = `Unrecognized request URL (${place}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`;
  return invalidRequest(message, { status: 404 });
}
