import { describe, expect, it } from 'vitest';
import { decimalText } from '#contract/money/decimal-text.ts';
import type { SessionUser } from '#contract/users/identity.ts';
import type { Listing } from '#contract/catalog/catalog.ts';
import { draftOf, editFormProblems, editOf, formProblems, valuesOf, type ListingValues } from './listing-form.ts';

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
  resale_price: '$6.25',
  years_of_use: '1,5',
  location: 'Leeds',
  phone: '555 0100',
  details: 'A few pencil marks.',
  category_id: 'classics',
  condition: 'Good',
  authors: 'George Eliot',
  isbn13: '978-0-14-143954-9',
  published_year: '1871',
  publisher: '',
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

describe('the form of a listed copy', () => {
  const listed: Listing = {
    _id: '00000000-0000-4000-8000-000000000002',
    title: 'Middlemarch',
    authors: 'George Eliot',
    isbn13: '9780141439549',
    published_year: 1871,
    publisher: '',
    image_url: '',
    Seller: 'Sam Seller',
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

  it('finds fault with what was changed alone: an imported copy has no picture and may keep none', () => {
    expect(editFormProblems({ ...before, resale_price: '5' }, before)).toEqual({});
    const wrong = { ...before, resale_price: '0.1', title: '', details: ' ' };
    expect(Object.keys(editFormProblems(wrong, before)).sort()).toEqual(['details', 'resale_price', 'title']);
  });
});
