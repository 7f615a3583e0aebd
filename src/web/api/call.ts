import { pathOf, type CallableSpec } from '#contract/endpoint.ts';
import { isStale, storedToken } from './access-token.ts';
import { refusalOf, type ApiRequest, type ApiResponse } from './answer.ts';
import { ApiError } from './api-error.ts';
import { apiOver } from './client.ts';
import { fetchTransport, unanswered } from './fetch-transport.ts';
import { renewToken, sessionState } from './session.ts';

const send = fetchTransport();

const withToken = (request: ApiRequest, token: string | undefined): ApiRequest =>
  token === undefined ? request : { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };

/** A token that will last the call, when somebody is signed in. A renewal that fails leaves the old one to be tried. */
const usableToken = async (): Promise<string | undefined> => {
  const token = storedToken();
  if (token === undefined ? sessionState().status !== 'in' : !isStale(token)) return token;
  return renewToken().catch(() => token);
};

const sendSignedIn = async (spec: CallableSpec, request: ApiRequest): Promise<ApiResponse> => {
  // Signing in and out goes by the cookie, and its 401 means a wrong password, not an old token.
  if (spec.path.startsWith('/auth/') || spec.path === '/jwt') return send(request);
  const response = await send(withToken(request, await usableToken()));
  if (response.status !== 401) return response;
  const fresh = await renewToken();
  return fresh === undefined ? response : send(withToken(request, fresh));
};

/** Fetches a file of the API as whoever is signed in; throws an `ApiError` when it is refused or not answered. */
export const callFile = async (spec: CallableSpec, query: Record<string, string> = {}): Promise<Blob> => {
  const fetchAs = (token: string | undefined): Promise<Response> =>
    fetch(`/api${pathOf(spec, { query })}`, {
      method: spec.method,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
  try {
    const first = await fetchAs(await usableToken());
    const response = first.status === 401 ? await fetchAs(await renewToken()) : first;
    if (response.ok) return await response.blob();
    const header = (name: string): string | null => response.headers.get(name);
    throw refusalOf({ status: response.status, header, body: await response.text() });
  } catch (error) {
    throw error instanceof ApiError ? error : unanswered(error, undefined);
  }
};

/** The API in the browser, as whoever is signed in; the access token is renewed quietly. */
export const browserApi = apiOver(sendSignedIn);

/** Calls an endpoint from the browser; throws an `ApiError` when it is refused or not answered. */
export const call = browserApi.call;

/** As `call`, for an endpoint that answers a list: `{ rows, next, total }`. */
export const callPage = browserApi.callPage;

/** A key for `Idempotency-Key`: one per attempt of the person, kept for its retries. */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
