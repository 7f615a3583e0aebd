import type { ApiRequest, ApiResponse } from './answer.ts';
import { usableToken } from './call.ts';
import { apiOver } from './client.ts';
import { unanswered } from './fetch-transport.ts';

/** Sends a request that leaves even where its page is closed meanwhile; browsers take bodies of up to 64 kB so. */
const sendKeptAlive = async ({ method, path, headers, body }: ApiRequest): Promise<ApiResponse> => {
  const token = await usableToken();
  const signedIn = token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` };
  try {
    const response = await fetch(`/api${path}`, { method, headers: signedIn, body: body ?? null, keepalive: true });
    return { status: response.status, header: (name) => response.headers.get(name), body: await response.text() };
  } catch (error) {
    throw unanswered(error, undefined);
  }
};

/** As `call`, for what is to arrive though its page is left: once, and the token is not renewed where it is refused. */
export const callKeptAlive = apiOver((_spec, request) => sendKeptAlive(request)).call;
