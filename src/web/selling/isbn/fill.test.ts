import { expect, it } from 'vitest';
import { changesOf, factsOf, filledOf, namesOf } from './fill.ts';

const book = factsOf({
  isbn13: '9780441478125',
  title: 'The Left Hand of Darkness',
  authors: 'Ursula K. Le Guin',
  publisher: '',
  year: 1987,
  language: 'eng',
  binding: 'paperback',
  pages: 304,
  source: 'table',
});

it('fills what is empty, and nothing that was typed', () => {
  expect(changesOf(book, { title: '', authors: ' ', published_year: '1969' }, {})).toEqual({
    title: 'The Left Hand of Darkness',
    authors: 'Ursula K. Le Guin',
  });
});

it('puts the next book in the place of what it filled in before, but not of what was changed since', () => {
  const before = { title: 'Emma', authors: 'Jane Austen', publisher: 'Penguin' };
  const now = { title: 'Emma', authors: 'Austen', publisher: 'Penguin', published_year: '' };
  expect(changesOf(book, now, before)).toEqual({
    title: 'The Left Hand of Darkness',
    published_year: '1987',
    publisher: '',
  });
});

it('fills in nothing where the form says that nobody knows, and does not say that it did', () => {
  const facts = { title: 'Emma', original_price: '19.95' };
  const now = { title: '', original_price: '' };
  const changes = changesOf(facts, now, {}, ['original_price']);
  expect(changes).toEqual({ title: 'Emma' });
  expect(filledOf(facts, now, {}, changes, ['original_price'])).toEqual({ title: 'Emma' });
  expect(filledOf(facts, now, {}, changesOf(facts, now, {}))).toEqual(facts);
});

it('names what it filled in', () => {
  expect(namesOf({ title: 'Emma', authors: 'Jane Austen', published_year: '1815' })).toBe('title, authors and year');
  expect(namesOf({ original_price: '19.95' })).toBe('original price');
  expect(namesOf({})).toBe('');
});
