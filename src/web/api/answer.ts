import type { CallableSpec } from '#contract/endpoint.ts';
import type { ErrorBody, ErrorCode, FieldErrors } from '#contract/errors.ts';
import { ApiError } from './api-error.ts';

/** A request as the transports take it: `path` is relative to `/api`. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An answer as the transports give it. */
export interface ApiResponse {
  readonly status: number;
  header(name: string): string | null;
  readonly body: string;
}

export type Transport = (request: ApiRequest) => Promise<ApiResponse>;

const sentenceOf = (status: number): string => {
  if (status === 503 || status === 502) return 'The shop is taking a short break. Please try again in a moment.';
  if (status === 429) return 'That was too often. Please wait a little and try again.';
  if (status === 401) return 'Please sign in';
  if (status === 404) return 'There is nothing here';
  return 'Something went wrong in the shop. Please try again.';
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isErrorBody = (value: unknown): value is ErrorBody =>
  typeof value === 'object' &&
  value !== null &&
  'error' in value &&
  typeof value.error === 'object' &&
  value.error !== null &&
  'message' in value.error &&
  typeof value.error.message === 'string';

const retryAfterOf = (response: ApiResponse): number | undefined => {
  const text = response.header('retry-after');
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
};

/** The refusal that `response` is. */
export const refusalOf = (response: ApiResponse): ApiError => {
  const body = jsonOf(response.body);
  const error = isErrorBody(body) ? body.error : undefined;
  return new ApiError({
    status: response.status,
    code: (error?.code ?? 'unreadable') as ErrorCode | 'unreadable',
    message: error?.message ?? sentenceOf(response.status),
    fields: error?.fields as FieldErrors | undefined,
    change: error?.change,
    requestId: error?.requestId ?? response.header('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfterOf(response),
  });
};

/** The parsed body of a successful answer to `spec`, or the `ApiError` it is. */
export const answerOf = (spec: CallableSpec, response: ApiResponse): unknown => {
  if (response.status < 200 || response.status > 299) throw refusalOf(response);
  if (spec.status === 204 || response.status === 204) return null;
  const body = jsonOf(response.body);
  if (body === undefined) {
    throw new ApiError({ status: response.status, code: 'unreadable', message: sentenceOf(response.status) });
  }
  return body;
};

/** The cursor of the next page, from the `Link` header. */
export const nextCursorOf = (response: ApiResponse): string | undefined => {
  const link = /<([^>]*)>\s*;\s*rel="?next"?/.exec(response.header('link') ?? '')?.[1];
  if (link === undefined) return undefined;
  return new URL(link, 'http://shop').searchParams.get('cursor') ?? undefined;
};

/** The number of rows in the whole list, where the answer says it. */
export const totalOf = (response: ApiResponse): number | undefined => {
  const text = response.header('x-total-count');
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
};
