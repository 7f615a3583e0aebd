import { Type, type Static } from 'typebox';
import { CopyChange } from './bookings/promise.ts';

/** The closed list of error codes and the status each is answered with. */
export const ERROR_STATUS = {
  bad_request: 400,
  unauthenticated: 401,
  wrong_credentials: 401,
  forbidden: 403,
  cross_site: 403,
  suspended: 403,
  own_copy: 403,
  fresh_sign_in_needed: 403,
  second_factor_needed: 403,
  not_found: 404,
  already_exists: 409,
  email_taken: 409,
  not_empty: 409,
  category_changed: 409,
  last_way_in: 409,
  last_admin: 409,
  still_open: 409,
  not_a_seller: 409,
  copy_taken: 409,
  copy_locked: 409,
  copy_ambiguous: 409,
  price_changed: 409,
  copy_changed: 409,
  record_differs: 409,
  already_paid: 409,
  not_paid: 409,
  booking_ambiguous: 409,
  hold_lost: 409,
  copy_free: 409,
  own_hold: 409,
  money_returned: 409,
  disputed: 409,
  refund_refused: 409,
  payouts_refused: 409,
  payout_moved: 409,
  second_admin_needed: 409,
  order_moved: 409,
  photo_differs: 409,
  photo_used: 409,
  draft_newer: 409,
  stock_busy: 409,
  stock_differs: 409,
  stock_missing: 409,
  stock_state: 409,
  want_state: 409,
  wrong_code: 409,
  thread_closed: 409,
  review_closed: 409,
  case_moved: 409,
  request_in_progress: 409,
  link_over: 410,
  too_large: 413,
  unsupported_media: 415,
  key_reused: 422,
  photo_refused: 422,
  too_many: 429,
  internal: 500,
  provider_unavailable: 502,
  unavailable: 503,
  store_full: 507,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** What is wrong with each named field of a request. */
export type FieldErrors = Record<string, string>;

/** The body of every refusal, beside the documented keys of the call. */
export const ErrorBody = Type.Object({
  error: Type.Object({
    code: Type.String(),
    message: Type.String(),
    fields: Type.Optional(Type.Record(Type.String(), Type.String())),
    change: Type.Optional(CopyChange),
    requestId: Type.String(),
  }),
});
export type ErrorBody = Static<typeof ErrorBody>;
