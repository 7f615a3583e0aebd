import type { Transport } from './answer.ts';
import { CLOCK_AHEAD_HEADER } from '#contract/demo.ts';
import { ApiError } from './api-error.ts';
import { learnClock } from './shop-clock.ts';

/** Longer than any call of the shop may take; a person should not wait longer without a word. */
const TIMEOUT_MS = 15_000;

/** The `ApiError` of a request that got no answer; the error itself where the caller gave it up. */
export const unanswered = (error: unknown, signal: AbortSignal | undefined): unknown => {
  if (signal?.aborted === true) return error;
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    const message = 'The shop did not answer in time. Please check your connection and try again.';
    return new ApiError({ status: 0, code: 'timeout', message });
  }
  const message = 'The shop cannot be reached. Please check your connection and try again.';
  return new ApiError({ status: 0, code: 'offline', message });
};

/**
 * Sends requests with `fetch` to `${base}/api`; `base` is empty in the browser, where the shop is the page's own
 * origin.
 */
export const fetchTransport =
  (base = '', timeoutMs = TIMEOUT_MS): Transport =>
  async (request) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = request.signal === undefined ? timeout : AbortSignal.any([timeout, request.signal]);
    try {
      const { method, headers, body } = request;
      const response = await fetch(`${base}/api${request.path}`, { method, headers, body: body ?? null, signal });
      learnClock(response.headers.get(CLOCK_AHEAD_HEADER));
      return { status: response.status, header: (name) => response.headers.get(name), body: await response.text() };
    } catch (error) {
      throw unanswered(error, request.signal);
    }
  };
