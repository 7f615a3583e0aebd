import { cardError, missingParam } from '#standins/stripe/api/failure.ts';
import type { FormObject } from '#standins/stripe/api/form.ts';
import { text } from '#standins/stripe/api/params.ts';
import type { CardFacts } from '#standins/stripe/store/tables.ts';
import { TEST_CARDS } from './test-cards.ts';

// A card that expires later than this was mistyped; Stripe draws the same line.
const MAX_YEARS_AHEAD = 50;

/** The usual checksum of card numbers. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/**
 * Reads card details from a form and forgets the number: brand and last four digits are what goes on. Throws a card
 * error in Stripe's words when the details cannot be right, or belong to no test card.
 */
export function readCard(form: FormObject, param: string, today = new Date()): CardFacts {
  const number = text(form, 'number', `${param}[number]`)?.replaceAll(/[\s-]/g, '');
  if (number === undefined) throw missingParam(`${param}[number]`);
  if (!/^\d+$/.test(number)) {
    throw cardError('invalid_number', 'Your card number is not a valid credit card number.', { param: 'number' });
  }
  // Visa and Mastercard numbers have sixteen digits, so a shorter one is half typed, whatever its checksum says.
  const hasFittingLength = /^[45]/.test(number) ? number.length === 16 : number.length >= 12 && number.length <= 19;
  if (!hasFittingLength || !passesLuhn(number)) {
    throw cardError('incorrect_number', 'Your card number is incorrect.', { param: 'number' });
  }
  const { expMonth, expYear } = readExpiry(form, param, today);
  const cvc = readCvc(form, param, number);
  return cardNumbered(number, expMonth, expYear, cvc !== undefined);
}

/** The facts of a test card by its number; throws what Stripe answers for any other. */
export function cardNumbered(number: string, expMonth: number, expYear: number, hasCvc: boolean): CardFacts {
  const card = TEST_CARDS.get(number);
  if (card === undefined) {
    const message =
      'Your card was declined. Your request was in test mode, but used a non test (live) card. ' +
      'For a list of valid test cards, visit: https://stripe.com/docs/testing.';
    throw cardError('card_declined', message, { decline_code: 'test_mode_live_card', param: 'number' });
  }
  return {
    brand: card.brand,
    last4: number.slice(-4),
    expMonth,
    expYear,
    funding: card.funding ?? 'credit',
    country: card.country ?? 'US',
    hasCvc,
    challenge: card.challenge ?? false,
    decline: card.decline ?? null,
    ...(card.dispute === undefined ? {} : { dispute: card.dispute }),
    ...(card.slowly === undefined ? {} : { slowly: card.slowly }),
  };
}

function readExpiry(form: FormObject, param: string, today: Date): { expMonth: number; expYear: number } {
  const month = text(form, 'exp_month', `${param}[exp_month]`);
  const year = text(form, 'exp_year', `${param}[exp_year]`);
  if (month === undefined) throw missingParam(`${param}[exp_month]`);
  if (year === undefined) throw missingParam(`${param}[exp_year]`);
  const badMonth = cardError('invalid_expiry_month', "Your card's expiration month is invalid.", {
    param: 'exp_month',
  });
  const badYear = cardError('invalid_expiry_year', "Your card's expiration year is invalid.", { param: 'exp_year' });
  if (!/^\d{1,2}$/.test(month) || Number(month) < 1 || Number(month) > 12) throw badMonth;
  if (!/^(\d{2}|\d{4})$/.test(year)) throw badYear;
  const expYear = year.length === 2 ? 2000 + Number(year) : Number(year);
  // A card is good to the end of its month, anywhere on earth: the last place to reach that end is UTC-12.
  const lastPlace = new Date(today.getTime() - 12 * 60 * 60 * 1000);
  const thisYear = lastPlace.getUTCFullYear();
  if (expYear < thisYear || expYear > thisYear + MAX_YEARS_AHEAD) throw badYear;
  if (expYear === thisYear && Number(month) < lastPlace.getUTCMonth() + 1) throw badMonth;
  return { expMonth: Number(month), expYear };
}

function readCvc(form: FormObject, param: string, number: string): string | undefined {
  const cvc = text(form, 'cvc', `${param}[cvc]`);
  const wanted = TEST_CARDS.get(number)?.brand === 'amex' ? /^\d{3,4}$/ : /^\d{3}$/;
  if (cvc === undefined || wanted.test(cvc)) return cvc;
  throw cardError('invalid_cvc', "Your card's security code is invalid.", { param: 'cvc' });
}
