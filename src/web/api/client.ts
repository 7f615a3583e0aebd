import { pathOf, type Answer, type CallableSpec, type EndpointSpec, type Input } from '#contract/endpoint.ts';
import { answerOf, nextCursorOf, totalOf, type ApiRequest, type ApiResponse, type Transport } from './answer.ts';

export interface CallOptions {
  /** Repeating a call with the same key has the effect of one; make one per attempt of the person, not per request. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

type RowOf<A> = A extends readonly (infer Row)[] ? Row : never;

/** One page of a list. `next` is the cursor of the page after, absent on the last. */
export interface PageOf<E extends EndpointSpec> {
  readonly rows: RowOf<Answer<E>>[];
  readonly next: string | undefined;
  readonly total: number | undefined;
}

/** The shop's API, as pages use it; the same in the browser and on the server. */
export interface Api {
  /** Calls an endpoint; throws an `ApiError` when it is refused or not answered. */
  call<E extends EndpointSpec>(spec: E, input: Input<E>, options?: CallOptions): Promise<Answer<E>>;
  /** As `call`, for an endpoint that answers a list. */
  callPage<E extends EndpointSpec>(spec: E, input: Input<E>, options?: CallOptions): Promise<PageOf<E>>;
}

type AnyInput = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown };

const requestOf = (spec: CallableSpec, input: AnyInput, options: CallOptions): ApiRequest => {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (spec.body !== undefined) headers['content-type'] = 'application/json';
  if (options.idempotencyKey !== undefined) headers['idempotency-key'] = options.idempotencyKey;
  const body = spec.body === undefined ? undefined : JSON.stringify(input.body ?? {});
  return { method: spec.method, path: pathOf(spec, input), headers, body, signal: options.signal };
};

/** The API over `send`. The one place where an answer's text becomes the contract's type. */
export const apiOver = (send: (spec: CallableSpec, request: ApiRequest) => Promise<ApiResponse>): Api => ({
  async call<E extends EndpointSpec>(spec: E, input: Input<E>, options: CallOptions = {}) {
    const response = await send(spec, requestOf(spec, input as AnyInput, options));
    return answerOf(spec, response) as Answer<E>;
  },
  async callPage<E extends EndpointSpec>(spec: E, input: Input<E>, options: CallOptions = {}) {
    const response = await send(spec, requestOf(spec, input as AnyInput, options));
    const rows = answerOf(spec, response) as RowOf<Answer<E>>[];
    return { rows, next: nextCursorOf(response), total: totalOf(response) };
  },
});

/** The API over a plain transport, without anyone signed in. */
export const anonymousApi = (transport: Transport): Api => apiOver((_spec, request) => transport(request));
