import { Type, type Static } from 'typebox';
import type { FieldErrors } from '#contract/errors.ts';
import { Text } from '#contract/scalars.ts';
import { isVisible, oneLine } from '#contract/text.ts';
import { countryName, isCountry } from './countries.ts';
import { regionOf, REGIONS } from './regions.ts';

const MAX_LINE_LENGTH = 100;
const MAX_CITY_LENGTH = 80;
const MAX_POSTCODE_LENGTH = 16;

/** Where a parcel goes. `country` has the two letters of ISO 3166-1; `line2`, `state` and `postcode` may be empty. */
export const Address = Type.Object({
  name: Text(MAX_LINE_LENGTH),
  line1: Text(MAX_LINE_LENGTH),
  line2: Text(MAX_LINE_LENGTH),
  city: Text(MAX_CITY_LENGTH),
  state: Text(MAX_CITY_LENGTH),
  postcode: Text(MAX_POSTCODE_LENGTH),
  country: Type.String({ maxLength: 2, description: 'ISO 3166-1 alpha-2' }),
});
export type Address = Static<typeof Address>;

/** How a country writes its postcodes, once spaces at the ends are gone and letters are capitals. */
interface PostcodeRule {
  readonly pattern: RegExp;
  readonly message: string;
  /** The one way to write it, of what the pattern found. */
  readonly written: string;
}

const POSTCODES: Readonly<Record<string, PostcodeRule>> = {
  US: {
    pattern: /^(\d{5})(?:[- ]?(\d{4}))?$/,
    message: 'Give the ZIP code: 5 digits, for example 97201',
    written: '$1-$2',
  },
  CA: {
    pattern: /^([ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z])[ -]?(\d[ABCEGHJ-NPRSTV-Z]\d)$/,
    message: 'Give the postal code, for example K1A 0B1',
    written: '$1 $2',
  },
  GB: {
    pattern: /^([A-Z]{1,2}\d[A-Z\d]?) ?(\d[A-Z]{2})$/,
    message: 'Give the postcode, for example SW1A 1AA',
    written: '$1 $2',
  },
  DE: { pattern: /^(\d{5})$/, message: 'Give the postcode: 5 digits, for example 10115', written: '$1' },
  AU: { pattern: /^(\d{4})$/, message: 'Give the postcode: 4 digits, for example 2000', written: '$1' },
};

const STATE_MESSAGES: Readonly<Record<string, string>> = {
  US: 'Give the state, for example OR or Oregon',
  CA: 'Give the province, for example ON or Ontario',
  AU: 'Give the state, for example NSW',
};

const capitals = (text: string): string => oneLine(text).toUpperCase();

/** A postcode in the way its country writes it; undefined where it is none. */
const postcodeOf = (country: string, typed: string): string | undefined => {
  const rule = POSTCODES[country];
  const text = capitals(typed);
  if (rule === undefined) return text;
  return rule.pattern.test(text) ? text.replace(rule.pattern, rule.written).replace(/-$/, '') : undefined;
};

/** What is wrong with an address to send a parcel to, by field; the same rules on both sides. */
export const addressProblems = (address: Address): FieldErrors => {
  const problems: FieldErrors = {};
  const check = (field: keyof Address, maxLength: number, missing?: string): void => {
    if (missing !== undefined && !isVisible(address[field])) problems[field] = missing;
    else if (oneLine(address[field]).length > maxLength) problems[field] = `At most ${maxLength} characters`;
  };
  check('name', MAX_LINE_LENGTH, 'Give the name on the letterbox');
  check('line1', MAX_LINE_LENGTH, 'Give street and number, or a P.O. box');
  check('line2', MAX_LINE_LENGTH);
  check('city', MAX_CITY_LENGTH, 'Give the city');
  check('state', MAX_CITY_LENGTH);
  check('postcode', MAX_POSTCODE_LENGTH);
  const { country } = address;
  if (!isCountry(country)) return { ...problems, country: 'Choose a country' };
  if (country in REGIONS && regionOf(country, address.state) === undefined)
    problems.state = STATE_MESSAGES[country] ?? 'Give the state';
  const postcode = POSTCODES[country];
  if (postcode !== undefined && postcodeOf(country, address.postcode) === undefined)
    problems.postcode = postcode.message;
  return problems;
};

/** An address without problems in the way it is kept: single lines, letters for states, postcodes as written there. */
export const tidyAddress = (address: Address): Address => ({
  name: oneLine(address.name),
  line1: oneLine(address.line1),
  line2: oneLine(address.line2),
  city: oneLine(address.city),
  state: regionOf(address.country, address.state) ?? oneLine(address.state),
  postcode: postcodeOf(address.country, address.postcode) ?? capitals(address.postcode),
  country: address.country,
});

/** The lines between street and country, as they are written in that country. */
const placeLines = ({ city, state, postcode, country }: Address): readonly string[] => {
  switch (country) {
    case 'US':
      return [`${city}, ${state} ${postcode}`];
    case 'CA':
      return [`${city} ${state}  ${postcode}`];
    case 'AU':
      return [`${city.toUpperCase()} ${state} ${postcode}`];
    case 'GB':
      return [city.toUpperCase(), state, postcode];
    default:
      return [`${postcode} ${city}`, state];
  }
};

/** An address as it is printed on a parcel, line by line, the country last and in capitals. */
export const addressLines = (address: Address): string[] =>
  [address.name, address.line1, address.line2, ...placeLines(address), countryName(address.country).toUpperCase()]
    .map((line) => line.trim())
    .filter((line) => line !== '');
