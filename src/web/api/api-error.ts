import type { ErrorCode, FieldErrors } from '#contract/errors.ts';
import type { CopyChange } from '#contract/bookings/promise.ts';

/** Codes of the contract, and the three ways in which no answer of the shop was read. */
export type CallErrorCode = ErrorCode | 'offline' | 'timeout' | 'unreadable';

interface Details {
  status: number;
  code: CallErrorCode;
  message: string;
  fields?: FieldErrors | undefined;
  requestId?: string | undefined;
  change?: CopyChange | undefined;
  retryAfterSeconds?: number | undefined;
}

/**
 * A call that was refused or not answered. `message` is a sentence for people; `status` is 0 when there was no answer.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: CallErrorCode;
  /** What is wrong, by field; empty when the refusal is not about fields. */
  readonly fields: FieldErrors;
  readonly requestId: string | undefined;
  /** How a copy differs from what was promised of it, where that is why. */
  readonly change: CopyChange | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(details: Details) {
    super(details.message);
    this.name = 'ApiError';
    this.status = details.status;
    this.code = details.code;
    this.fields = details.fields ?? {};
    this.requestId = details.requestId;
    this.change = details.change;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** The sentence to show for anything that went wrong with a call. */
export const messageOf = (error: unknown): string =>
  error instanceof ApiError ? error.message : 'Something went wrong on this page. Please try again.';
