import { isCountry } from '#contract/delivery/countries.ts';
import type {
  CopyDelivery,
  CopyDeliveryDraft,
  DeliveryDraft,
  DeliveryExceptionDraft,
} from '#contract/delivery/delivery-calls.ts';
import { deliveryInDollars, deliveryProblems, termsOfDraft } from '#contract/delivery/delivery-rules.ts';
import { deliveryInWords } from '#contract/delivery/delivery-words.ts';
import { DEFAULT_DELIVERY, termsOfCopy } from '#contract/delivery/delivery.ts';
import { decimalText } from '#contract/money/decimal-text.ts';

/** The fields of the form, named as in the contract; boxes are `yes` or empty, countries their letters with commas. */
export const DELIVERY_FIELDS = [
  'pickup',
  'pickupPlace',
  'post',
  'first',
  'further',
  'freeFrom',
  'countries',
  'daysToPost',
] as const;
export type DeliveryValues = Record<(typeof DELIVERY_FIELDS)[number], string>;

/** Those of all books: with the country that their seller posts from. */
export const SHOP_FIELDS = [...DELIVERY_FIELDS, 'home'] as const;
export type ShopValues = Record<(typeof SHOP_FIELDS)[number], string>;

const YES = 'yes';

const amountText = (dollars: number | null): string => (dollars === null ? '' : dollars.toFixed(2));

/** What the form begins with; amounts that nobody ever said are left empty. */
export const valuesOf = (delivery: CopyDelivery, said = true): DeliveryValues => ({
  pickup: delivery.pickup ? YES : '',
  pickupPlace: delivery.pickupPlace,
  post: delivery.post ? YES : '',
  first: said ? amountText(delivery.first) : '',
  further: said ? amountText(delivery.further) : '',
  freeFrom: amountText(delivery.freeFrom),
  countries: delivery.countries.join(','),
  daysToPost: String(delivery.daysToPost),
});

/** The countries in the form's text. */
export const countriesIn = (text: string): string[] => text.split(',').filter(isCountry);

/** What is sent for the filled-in form. */
export const draftOf = (values: DeliveryValues): CopyDeliveryDraft => ({
  pickup: values.pickup === YES,
  pickupPlace: values.pickupPlace.trim(),
  post: values.post === YES,
  first: decimalText(values.first),
  further: decimalText(values.further),
  freeFrom: values.freeFrom.trim() === '' ? null : decimalText(values.freeFrom),
  countries: countriesIn(values.countries),
  daysToPost: Number(values.daysToPost),
});

/** What is sent for all books. */
export const shopDraftOf = (values: ShopValues): DeliveryDraft => ({ ...draftOf(values), home: values.home });

/** What is sent for one copy: only what is not as for all. */
export const exceptionOf = (values: DeliveryValues, shop: CopyDelivery): DeliveryExceptionDraft => {
  const draft = draftOf(values);
  const own = deliveryInDollars(termsOfCopy(DEFAULT_DELIVERY, termsOfDraft(draft)));
  const differs = (name: keyof CopyDelivery): boolean => JSON.stringify(own[name]) !== JSON.stringify(shop[name]);
  return Object.fromEntries(DELIVERY_FIELDS.filter(differs).map((name) => [name, draft[name]]));
};

/** What a buyer would read of the filled-in form, line by line; nothing while something in it is wrong. */
export const previewOf = (values: DeliveryValues, location: string): string[] => {
  const draft = draftOf(values);
  if (Object.keys(deliveryProblems(draft)).length > 0) return [];
  const delivery = deliveryInDollars(termsOfCopy(DEFAULT_DELIVERY, termsOfDraft(draft)));
  return deliveryInWords({ ...delivery, pickupPlace: delivery.pickupPlace === '' ? location : delivery.pickupPlace });
};

/** The country of whoever looks, as their browser's language tells; the United States where it tells none. */
export const ownCountry = (languages: readonly string[]): string => {
  const regions = languages.map((language) => {
    try {
      return new Intl.Locale(language).region ?? '';
    } catch {
      return '';
    }
  });
  return regions.find(isCountry) ?? 'US';
};
