import type Stripe from 'stripe';

/** What stands under `error` in a refused answer, in Stripe's words. */
export interface FailureBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  code?: string;
  decline_code?: string;
  advice_code?: string;
  network_decline_code?: string;
  doc_url?: string;
  message: string;
  param?: string;
  charge?: string;
  payment_intent?: Stripe.PaymentIntent | Partial<Stripe.PaymentIntent>;
  payment_method?: Stripe.PaymentMethod;
}

/**
 * A refusal. `executed` says whether the endpoint had begun its work: such an answer is kept under its idempotency
 * key, while one that failed validation may be asked again, as Stripe documents.
 */
export class StripeFailure extends Error {
  readonly status: number;
  readonly body: FailureBody;
  readonly executed: boolean;

  constructor(status: number, body: FailureBody, executed = false) {
    super(body.message);
    this.name = 'StripeFailure';
    this.status = status;
    this.body = body.code === undefined ? body : { doc_url: docUrl(body.code), ...body };
    this.executed = executed;
  }
}

function docUrl(code: string): string {
  return `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`;
}

/** 400 for a parameter that cannot be right. */
export function invalidRequest(message: string, details: { param?: string; code?: string; status?: number } = {}) {
  const { status = 400, ...rest } = details;
  return new StripeFailure(status, { type: 'invalid_request_error', message, ...rest });
}

/** 400 for a parameter that is not there. */
export function missingParam(param: string) {
  return invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
}

/** 404 for an id that names nothing here. */
export function noSuch(kind: string, id: string, param = 'id') {
  return invalidRequest(`No such ${kind}: '${id}'`, { code: 'resource_missing', param, status: 404 });
}

/** 402 for card details that cannot belong to a card. */
export function cardError(code: string, message: string, details: { param?: string; decline_code?: string } = {}) {
  return new StripeFailure(402, { type: 'card_error', code, message, ...details });
}

/** 400 because the payment intent is in a state that does not allow what was asked; the intent travels along. */
export function unexpectedState(message: string, intent: FailureBody['payment_intent']) {
  const code = 'payment_intent_unexpected_state';
  return new StripeFailure(400, { type: 'invalid_request_error', code, message, payment_intent: intent }, true);
}
