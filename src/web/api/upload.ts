import { pathOf, type Answer, type CallableSpec, type EndpointSpec } from '#contract/endpoint.ts';
import { type Photo } from '#contract/catalog/photos.ts';
import { uploadPhoto } from '#contract/catalog/photo-calls.ts';
import { answerOf, type ApiResponse } from './answer.ts';
import { usableToken } from './call.ts';
import { unanswered } from './fetch-transport.ts';
import { renewToken } from './session.ts';

/** Longer than a slow phone's network needs for a picture that was made small. */
const TIMEOUT_MS = 90_000;

/** `Content-Digest` as RFC 9530 has it; none where the page is not secure and the browser computes none. */
const digestOf = async (bytes: ArrayBuffer): Promise<Record<string, string>> => {
  const subtle = (crypto as Partial<Crypto>).subtle;
  if (subtle === undefined) return {};
  const sum = new Uint8Array(await subtle.digest('SHA-256', bytes));
  return { 'content-digest': `sha-256=:${btoa(String.fromCharCode(...sum))}:` };
};

interface Sending {
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** One request by XMLHttpRequest: `fetch` tells nobody how much of a body has left. */
const send = (
  method: string,
  path: string,
  body: Blob,
  headers: Readonly<Record<string, string>>,
  { onProgress, signal }: Sending,
): Promise<ApiResponse> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, `/api${path}`);
    request.timeout = TIMEOUT_MS;
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total));
    const giveUp = (error: unknown): void => reject(unanswered(error, signal.aborted ? signal : undefined) as Error);
    request.addEventListener('timeout', () => giveUp(new DOMException('', 'TimeoutError')));
    request.addEventListener('error', () => giveUp(new TypeError('no answer')));
    request.addEventListener('abort', () => giveUp(signal.reason));
    request.addEventListener('load', () =>
      resolve({
        status: request.status,
        header: (name) => request.getResponseHeader(name),
        body: request.responseText,
      }),
    );
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body);
  });

/**
 * Sends bytes to an endpoint that takes a file, as whoever is signed in. The same may be sent again as often as it
 * takes. Throws an `ApiError` when it is refused or not answered; `onProgress` is told the share that has left, from 0
 * to 1.
 */
export const sendBytes = async <E extends EndpointSpec>(
  spec: CallableSpec & Pick<E, 'answer'>,
  params: Record<string, string>,
  body: Blob,
  sending: Sending,
): Promise<Answer<E>> => {
  const path = pathOf(spec, { params });
  const type = body.type === '' ? 'application/octet-stream' : body.type;
  const headers = { 'content-type': type, ...(await digestOf(await body.arrayBuffer())) };
  const sendAs = (token: string | undefined): Promise<ApiResponse> =>
    send(
      spec.method,
      path,
      body,
      { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      sending,
    );
  const first = await sendAs(await usableToken());
  const response = first.status === 401 ? await sendAs(await renewToken()) : first;
  return answerOf(spec, response) as Answer<E>;
};

/** Takes a picture up, as `sendBytes`. */
export const sendPhoto = (id: string, picture: Blob, sending: Sending): Promise<Photo> =>
  sendBytes<typeof uploadPhoto>(uploadPhoto, { id }, picture, sending);
