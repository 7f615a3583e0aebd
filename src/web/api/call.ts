import type { CallableSpec } from '#contract/endpoint.ts';
import { isStale, storedToken } from './access-token.ts';
import type { ApiRequest, ApiResponse } from './answer.ts';
import { apiOver } from './client.ts';
import { fetchTransport } from './fetch-transport.ts';
import { renewToken, sessionState } from './session.ts';

const send = fetchTransport();

const withToken = (request: ApiRequest, token: string | undefined): ApiRequest =>
  token === undefined ? request : { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };

/** A token that will last the call, when somebody is signed in. A renewal that fails leaves the old one to be tried. */
export const usableToken = async (): Promise<string | undefined> => {
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

/** The API in the browser, as whoever is signed in; the access token is renewed quietly. */
export const browserApi = apiOver(sendSignedIn);

/** Calls an endpoint from the browser; throws an `ApiError` when it is refused or not answered. */
export const call = browserApi.call;

/** As `call`, for an endpoint that answers a list: `{ rows, next, total }`. */
export const callPage = browserApi.callPage;

/** A key for `Idempotency-Key`: one per attempt of the person, kept for its retries. */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
