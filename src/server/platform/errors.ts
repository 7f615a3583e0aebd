import { ERROR_STATUS, type ErrorCode, type FieldErrors } from '#contract/errors.ts';
import type { CopyChange } from '#contract/bookings/promise.ts';

/** An expected failure. Services throw it; only `http/` turns it into an answer. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldErrors | undefined;
  /** How a copy differs from what was promised of it. */
  readonly change: CopyChange | undefined;
  /** Seconds until it is worth trying again, sent as Retry-After. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    more: { fields?: FieldErrors; change?: CopyChange; retryAfterSeconds?: number } = {},
  ) {
    super(message);
    this.name = 'AppError';
    this.code = code;
    this.fields = more.fields;
    this.change = more.change;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** The code that Node, PostgreSQL or a library gave an error; empty where it has none. */
export const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

export const notFound = (message = 'There is nothing here'): AppError => new AppError('not_found', message);
export const forbidden = (message = 'You may not do this'): AppError => new AppError('forbidden', message);
export const unauthenticated = (): AppError => new AppError('unauthenticated', 'Please sign in');

/** 400 with what is wrong, by field. */
export const badFields = (fields: FieldErrors): AppError =>
  new AppError('bad_request', Object.values(fields)[0] ?? 'Something in the request is wrong', { fields });
