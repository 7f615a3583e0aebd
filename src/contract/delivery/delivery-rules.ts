import type { FieldErrors } from '#contract/errors.ts';
import { dollarsOf, parseCents } from '#contract/money/money.ts';
import { oneLine } from '#contract/text.ts';
import { isCountry } from './countries.ts';
import type { CopyDelivery, CopyDeliveryDraft, DeliveryDraft, DeliveryExceptionDraft } from './delivery-calls.ts';
import {
  DEFAULT_DELIVERY,
  MAX_DAYS_TO_POST,
  MIN_DAYS_TO_POST,
  type DeliveryException,
  type DeliveryTerms,
} from './delivery.ts';

export const MAX_POSTAGE_CENTS = 99_999;
const MIN_FREE_FROM_CENTS = 50;
const MAX_FREE_FROM_CENTS = 9_999_999;
const MAX_PLACE_LENGTH = 200;

const isBetween = (cents: number | undefined, least: number, most: number): boolean =>
  cents !== undefined && cents >= least && cents <= most;

const postageOf = (dollars: number | string): number | undefined => {
  const cents = parseCents(dollars);
  return isBetween(cents, 0, MAX_POSTAGE_CENTS) ? cents : undefined;
};

/** Null for never, undefined for what is no amount. */
const freeFromOf = (dollars: DeliveryDraft['freeFrom']): number | null | undefined => {
  if (dollars === null || (typeof dollars === 'string' && dollars.trim() === '')) return null;
  const cents = parseCents(dollars);
  return isBetween(cents, MIN_FREE_FROM_CENTS, MAX_FREE_FROM_CENTS) ? cents : undefined;
};

/**
 * What is wrong with how copies are to come to their buyers, by field; the same rules on both sides. What is asked for
 * posting only is not looked at where nothing is posted.
 */
export const deliveryProblems = (draft: DeliveryDraft): FieldErrors => {
  const problems: FieldErrors = {};
  if (!draft.pickup && !draft.post) problems.pickup = 'Offer pickup, post or both';
  if (oneLine(draft.pickupPlace).length > MAX_PLACE_LENGTH)
    problems.pickupPlace = `At most ${MAX_PLACE_LENGTH} characters`;
  if (draft.home !== undefined && !isCountry(draft.home)) problems.home = 'Choose a country from the list';
  if (draft.post) {
    const amount = 'Give an amount from $0.00 to $999.99';
    if (postageOf(draft.first) === undefined) problems.first = amount;
    if (postageOf(draft.further) === undefined) problems.further = amount;
    if (freeFromOf(draft.freeFrom) === undefined)
      problems.freeFrom = 'Give an amount from $0.50 to $99,999.99, or leave it empty';
    if (draft.countries.length === 0) problems.countries = 'Choose at least one country';
    else if (!draft.countries.every(isCountry)) problems.countries = 'Choose countries from the list';
  }
  const { daysToPost } = draft;
  if (!Number.isInteger(daysToPost) || daysToPost < MIN_DAYS_TO_POST || daysToPost > MAX_DAYS_TO_POST)
    problems.daysToPost = `Choose ${MIN_DAYS_TO_POST} to ${MAX_DAYS_TO_POST} working days`;
  return problems;
};

/** The country that a seller posts from, of a draft whose problems are none. */
export const homeOfDraft = ({ home, countries }: Pick<DeliveryDraft, 'home' | 'countries'>): string =>
  home ?? countries.find(isCountry) ?? DEFAULT_DELIVERY.home;

/** What is kept of a part of a draft whose problems are none; amounts that are none, where nothing is posted, are 0. */
export const termsOfDraft = (draft: DeliveryExceptionDraft): DeliveryException => ({
  pickup: draft.pickup,
  pickupPlace: draft.pickupPlace === undefined ? undefined : oneLine(draft.pickupPlace),
  post: draft.post,
  firstCents: draft.first === undefined ? undefined : (postageOf(draft.first) ?? 0),
  furtherCents: draft.further === undefined ? undefined : (postageOf(draft.further) ?? 0),
  freeFromCents: draft.freeFrom === undefined ? undefined : (freeFromOf(draft.freeFrom) ?? null),
  countries: draft.countries === undefined ? undefined : [...new Set(draft.countries.filter(isCountry))],
  daysToPost: draft.daysToPost,
});

const dollarsOrNull = (cents: number | null): number | null => (cents === null ? null : dollarsOf(cents));

/** Terms as they are sent, in dollars. */
export const deliveryInDollars = (terms: DeliveryTerms): CopyDelivery => ({
  pickup: terms.pickup,
  pickupPlace: terms.pickupPlace,
  post: terms.post,
  first: dollarsOf(terms.firstCents),
  further: dollarsOf(terms.furtherCents),
  freeFrom: dollarsOrNull(terms.freeFromCents),
  countries: [...terms.countries],
  home: terms.home,
  daysToPost: terms.daysToPost,
});

/** What was drafted, where it is a whole: what is left out of it is taken from `terms`. */
export const wholeDraft = (terms: DeliveryTerms, draft: DeliveryExceptionDraft): CopyDeliveryDraft => {
  const whole = deliveryInDollars(terms);
  return {
    pickup: draft.pickup ?? whole.pickup,
    pickupPlace: draft.pickupPlace ?? whole.pickupPlace,
    post: draft.post ?? whole.post,
    first: draft.first ?? whole.first,
    further: draft.further ?? whole.further,
    freeFrom: draft.freeFrom === undefined ? whole.freeFrom : draft.freeFrom,
    countries: draft.countries ?? whole.countries,
    daysToPost: draft.daysToPost ?? whole.daysToPost,
  };
};
