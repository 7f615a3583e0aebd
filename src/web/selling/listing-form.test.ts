import { describe, expect, it } from 'vitest';
import { decimalText } from '#contract/money/decimal-text.ts';
import type { SessionUser } from '#contract/users/identity.ts';
import type { Listing } from '#contract/catalog/catalog.ts';
import { lastDeliveryOf } from './delivery/last-delivery.tsx';
import {
  AS_ALL,
  draftOf,
  editFormProblems,
  editOf,
  formProblems,
  keptOf,
  valuesOf,
  type ListingValues,
} from './listing-form.ts';

const seller: SessionUser = {
  uid: '00000000-0000-4000-8000-000000000001',
  email: 'sam@example.com',
  displayName: 'Sam Seller',
  photoURL: '',
  roles: ['seller'],
  emailProven: true,
  timeZone: '',
};

const filled: ListingValues = {
  title: ' Middlemarch ',
  image_url: 'https://example.com/middlemarch.jpg',
  original_price: '12,50',
  original_known: '',
  resale_price: '$6.25',
  years_of_use: '1,5',
  years_known: '',
  location: 'Leeds',
  phone: '555 0100',
  details: 'A few pencil marks.',
  category_id: 'classics',
  condition: 'Good',
  authors: 'George Eliot',
  isbn13: '978-0-14-143954-9',
  published_year: '1871',
  publisher: '',
  delivery: '',
  passport: '',
};

describe('numbers as people type them', () => {
  it.each([
    ['12.50', '12.50'],
    ['12,50', '12.50'],
    [' 12 ', '12'],
    ['$9.99', '9.99'],
    ['1,250.00', '1250.00'],
    ['1.250,00', '1250.00'],
    ['0,5', '0.5'],
  ])('reads %j as %j', (typed, text) => {
    expect(decimalText(typed)).toBe(text);
  });

  it.each(['12,50,1', '1.2.3', '12.5,0', '-1', '1e3', 'twelve'])('leaves %j wrong for the rules to refuse', (typed) => {
    const problems = formProblems({ ...filled, resale_price: typed }, seller);
    expect(problems).toHaveProperty('resale_price');
  });

  it('refuses a comma that may mean thousands or decimals', () => {
    expect(formProblems({ ...filled, resale_price: '1,250' }, seller)).toHaveProperty('resale_price');
  });
});

describe('the product form', () => {
  it('sends what was typed, tidied, in the name of the signed-in seller', () => {
    expect(formProblems(filled, seller)).toEqual({});
    expect(draftOf(filled, seller)).toMatchObject({
      email: 'sam@example.com',
      Seller: 'Sam Seller',
      title: 'Middlemarch',
      original_price: '12.50',
      resale_price: '6.25',
      years_of_use: '1.5',
      condition: 'Good',
      category_id: 'classics',
    });
  });

  it('needs every field but the facts about the book', () => {
    const empty = Object.fromEntries(Object.keys(filled).map((name) => [name, ''])) as ListingValues;
    expect(Object.keys(formProblems(empty, seller)).sort()).toEqual([
      'category_id',
      'condition',
      'details',
      'image_url',
      'location',
      'original_price',
      'phone',
      'resale_price',
      'title',
      'years_of_use',
    ]);
  });
});

describe('the delivery of the last book', () => {
  const last = { pickup: false, first: 12 };
  it('is that of the next one, unless its seller says otherwise', () => {
    expect(draftOf(filled, seller, [], last).delivery).toEqual(last);
    expect(draftOf({ ...filled, delivery: AS_ALL }, seller, [], last)).not.toHaveProperty('delivery');
    expect(draftOf(filled, seller)).not.toHaveProperty('delivery');
  });

  it('goes on to the book after that, said or not', () => {
    expect(keptOf({ ...filled, delivery: AS_ALL }).delivery).toBe(AS_ALL);
    expect(keptOf(filled).delivery).toBe('');
  });

  const shop = {
    pickup: true,
    pickupPlace: '',
    post: true,
    first: 4,
    further: 1.5,
    freeFrom: null,
    countries: ['US'],
    home: 'US',
    daysToPost: 3,
  };
  it('is not taken over where it makes no sense any more with how all books are', () => {
    expect(lastDeliveryOf({ shop, own: last })?.own).toEqual(last);
    expect(lastDeliveryOf({ shop: { ...shop, post: false }, own: last })).toBeUndefined();
  });
});

describe('what nobody knows of a copy', () => {
  it('is said, and asks for no number', () => {
    const values = { ...filled, original_price: '', original_known: 'no', years_of_use: '', years_known: 'no' };
    expect(formProblems(values, seller)).toEqual({});
    expect(draftOf(values, seller)).toMatchObject({ original_known: false, years_known: false });
  });

  it('sends the ISBN without the price that was scanned with it', () => {
    expect(draftOf({ ...filled, isbn13: 'ISBN 978-0-14-143954-9 51995' }, seller).isbn13).toBe('9780141439549');
  });
});

describe('the form of a listed copy', () => {
  const listed: Listing = {
    _id: '00000000-0000-4000-8000-000000000002',
    title: 'Middlemarch',
    authors: 'George Eliot',
    isbn13: '9780141439549',
    published_year: 1871,
    publisher: '',
    image_url: '',
    photo: null,
    Seller: 'Sam Seller',
    seller_slug: 'ann-reed',
    seller_verified: false,
    email: 'sam@example.com',
    phone: '555 0100',
    original_price: 12.5,
    original_known: true,
    resale_price: 6,
    years_of_use: 1.5,
    years_known: true,
    location: 'Leeds',
    published_date: '2026-01-01T00:00:00.000Z',
    details: 'A few pencil marks.',
    condition: 'Good',
    category_id: 'classics',
    category_name: 'Classics',
    status: 'Available',
    waiting: 0,
  };
  const before = valuesOf(listed);

  it('begins with what is known of the copy, and sends nothing while nothing is changed', () => {
    expect(before).toMatchObject({ resale_price: '6.00', years_of_use: '1.5', published_year: '1871' });
    expect(editOf(before, before)).toEqual({});
  });

  it('sends what was changed, as the contract reads it', () => {
    const typed = { ...before, resale_price: '$5,50', title: ' Middlemarch, a Study ', isbn13: '', condition: 'Fair' };
    expect(editOf(typed, before)).toEqual({
      resale_price: '5.50',
      title: 'Middlemarch, a Study',
      isbn13: '',
      condition: 'Fair',
    });
  });

  it('sends that a number is not known any more, and wants one where it is again', () => {
    const unknown = { ...before, original_price: '', original_known: 'no', years_of_use: '', years_known: 'no' };
    expect(editOf(unknown, before)).toEqual({ original_known: false, years_known: false });
    expect(editOf(unknown, unknown)).toEqual({});
    const known = { ...unknown, original_known: '', original_price: '9' };
    expect(editOf(known, unknown)).toEqual({ original_price: '9' });
    expect(editFormProblems({ ...unknown, years_known: '' }, unknown)).toEqual({
      years_of_use: 'Give the years of use, 0 or more',
    });
  });

  it('finds fault with what was changed alone: an imported copy has no picture and may keep none', () => {
    expect(editFormProblems({ ...before, resale_price: '5' }, before)).toEqual({});
    const wrong = { ...before, resale_price: '0.1', title: '', details: ' ' };
    expect(Object.keys(editFormProblems(wrong, before)).sort()).toEqual(['details', 'resale_price', 'title']);
  });
});
