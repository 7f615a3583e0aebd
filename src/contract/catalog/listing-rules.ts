import type { ListingDraft, ListingEdit } from './catalog.ts';
import { CONDITIONS } from './catalog.ts';
import type { FieldErrors } from '#contract/errors.ts';
import { readIsbn } from './isbn.ts';
import { MAX_PRICE_CENTS, MIN_PRICE_CENTS, parseCents } from '#contract/money/money.ts';
import { isVisible } from '#contract/text.ts';
import { photoNameIn } from './photo-sizes.ts';

export const MAX_IMAGE_URL_LENGTH = 2_048;
export const MAX_YEARS_OF_USE = 500;
const PRICE_MESSAGE = 'Give a price from $0.50 to $99,999.99';

/** Whether `url` may be a picture's address: absolute https with a host, no credentials, at most 2,048 characters. */
export const isImageUrl = (url: string): boolean => {
  if (url.length > MAX_IMAGE_URL_LENGTH || !/^https:\/\/[^\s\\/][^\s\\]*$/i.test(url) || !URL.canParse(url))
    return false;
  const parsed = new URL(url);
  return parsed.protocol === 'https:' && parsed.hostname !== '' && parsed.username === '' && parsed.password === '';
};

/** Years a copy was in use, to one decimal, or undefined when it is not such a number. */
export const parseYears = (years: number | string): number | undefined => {
  const text = String(years).trim();
  if (!/^\d{1,3}(\.\d)?$/.test(text)) return undefined;
  const value = Number(text);
  return value <= MAX_YEARS_OF_USE ? value : undefined;
};

/** The year a book came out: negative for BC, at most next year; undefined when it is no such year. */
export const parsePublishedYear = (year: number | string): number | undefined => {
  const text = String(year).trim();
  if (!/^-?\d{1,4}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= -3000 && value !== 0 && value <= new Date().getUTCFullYear() + 1 ? value : undefined;
};

const priceProblem = (price: number | string): string | undefined => {
  const cents = parseCents(price);
  return cents === undefined || cents < MIN_PRICE_CENTS || cents > MAX_PRICE_CENTS ? PRICE_MESSAGE : undefined;
};

/** The shop's own address of a photo is accepted, which is http in a demo. */
const pictureProblem = ({ image_url, photos = [] }: Pick<ListingDraft, 'image_url' | 'photos'>): string | undefined => {
  if (photos.length > 0) return undefined;
  const url = image_url?.trim() ?? '';
  return isImageUrl(url) || photoNameIn(url) !== undefined
    ? undefined
    : 'Add a photo, or give the https address of a picture';
};

/**
 * What is wrong with a listing to be offered, by field; empty when it may be sent. The same rules run on both sides.
 */
export const listingProblems = (draft: ListingDraft): FieldErrors => {
  const problems: FieldErrors = {};
  const require = (field: 'title' | 'location' | 'phone' | 'details', message: string): void => {
    if (!isVisible(draft[field])) problems[field] = message;
  };
  require('title', 'Give the title of the book');
  const picture = pictureProblem(draft);
  if (picture !== undefined) problems.image_url = picture;
  const original = draft.original_known === false ? undefined : priceProblem(draft.original_price);
  if (original !== undefined) problems.original_price = original;
  const resale = priceProblem(draft.resale_price);
  if (resale !== undefined) problems.resale_price = resale;
  if (draft.years_known !== false && parseYears(draft.years_of_use) === undefined)
    problems.years_of_use = 'Give the years of use, 0 or more';
  require('location', 'Say where the book is');
  require('phone', 'Give a phone number for the buyer');
  require('details', 'Describe the copy in a few words');
  if (draft.category_id === '') problems.category_id = 'Choose a category';
  if (draft.condition !== undefined && !CONDITIONS.includes(draft.condition)) problems.condition = 'Choose a condition';
  const isbn = readIsbn(draft.isbn13 ?? '');
  if (isbn !== undefined && 'problem' in isbn) problems.isbn13 = isbn.problem;
  const year = String(draft.published_year ?? '').trim();
  if (year !== '' && parsePublishedYear(year) === undefined)
    problems.published_year = `Give a year up to ${new Date().getUTCFullYear() + 1}, for example 1998`;
  return problems;
};

const EMPTY: ListingDraft = {
  email: '',
  Seller: '',
  category_id: '',
  image_url: '',
  title: '',
  original_price: '',
  resale_price: '',
  phone: '',
  location: '',
  years_of_use: '',
  details: '',
};

/**
 * What is wrong with the fields that an edit gives, by the rules of a new listing; what it leaves out is not looked at.
 */
export const editProblems = (edit: ListingEdit): FieldErrors => {
  const given = new Set(Object.keys(edit));
  const problems = Object.entries(listingProblems({ ...EMPTY, ...edit }));
  return Object.fromEntries(problems.filter(([field]) => given.has(field)));
};

const categoryId = /^[A-Za-z0-9_-]{1,64}$/;

/** What is wrong with a category to be added, by field. */
export const categoryProblems = (draft: { category_id: string; category_name: string }): FieldErrors => {
  const problems: FieldErrors = {};
  if (!categoryId.test(draft.category_id)) {
    problems.category_id = 'Use 1 to 64 letters, digits, dashes or underscores';
  }
  return { ...problems, ...categoryNameProblems(draft) };
};

/** What is wrong with the name a category is to have. */
export const categoryNameProblems = (draft: { category_name: string }): FieldErrors =>
  isVisible(draft.category_name) ? {} : { category_name: 'Give the category a name' };
