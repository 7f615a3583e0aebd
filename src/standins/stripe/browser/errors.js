// What goes wrong, in the words of Stripe.js.

/** Thrown when the page's own code uses the library wrongly. */
export class IntegrationError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'IntegrationError';
  }
}

/** @type {Record<string, string>} */
export const VALIDATION_MESSAGES = {
  incomplete_number: 'Your card number is incomplete.',
  invalid_number: 'Your card number is invalid.',
  incomplete_expiry: "Your card's expiration date is incomplete.",
  invalid_expiry_month: "Your card's expiration date is invalid.",
  invalid_expiry_month_past: "Your card's expiration date is in the past.",
  invalid_expiry_year: "Your card's expiration year is invalid.",
  invalid_expiry_year_past: "Your card's expiration year is in the past.",
  incomplete_cvc: "Your card's security code is incomplete.",
  incomplete_zip: 'Your postal code is incomplete.',
};

/**
 * What the customer typed cannot be right.
 * @param {string} code
 */
export function validationError(code) {
  return { type: 'validation_error', code, message: VALIDATION_MESSAGES[code] };
}

/** The answer did not come. Whether the card was charged is not known, so nothing is said about it. */
export function connectionError() {
  return {
    type: 'api_connection_error',
    message:
      'We are experiencing issues connecting to our payments provider. Please check your internet connection and try again. If this problem persists please contact us.',
  };
}
