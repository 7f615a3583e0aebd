import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchListings, type SearchAnswer } from '#contract/catalog/search.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aCategory, aListing, aSeller } from '#test/make.ts';
import { tidyWords } from './word-sweep.service.ts';

let t: TestApp;

/** Most words that are typed wrong below are right in the name of another book. */
const BOOKS = [
  ['Pride and Prejudice', 'Jane Austen'],
  ['Keep Austin Weird', 'Red Wassenich'],
  ['The Shining', 'Stephen King'],
  ['It', 'Stephen King'],
  ['Freakonomics', 'Steven D. Levitt'],
  ['The Left Hand of Darkness', 'Ursula K. Le Guin'],
  ['Lord of the Flies', 'William Golding'],
  ['The Great Gatsby', 'F. Scott Fitzgerald'],
  ['The Grate and the Hearth', 'Ann Ember'],
  ['Moby-Dick', 'Herman Melville'],
  ['Duck! Rabbit!', 'Amy Krouse Rosenthal'],
  ['Ender’s Game', 'Orson Scott Card'],
  ['Crime & Punishment', 'Fyodor Dostoyevsky'],
  ['The Seagull', 'Anton Chekhov'],
  ['The Philosopher’s Stone', 'J.K. Rowling'],
  ['The Two Towers', 'J. R. R. Tolkien'],
  ['Henry V', 'William Shakespeare'],
  ['Saga, Vol. 2', 'Brian K. Vaughan'],
  ['An Inquiry', 'H G Penrose'],
  ['Barely Together', 'Stewart Kingsley'],
] as const;

beforeAll(async () => {
  t = await testApp();
  const seller = await aSeller(t);
  const category_id = await aCategory(t, seller);
  for (const [title, authors] of BOOKS)
    await aListing(t, seller, { title, authors, details: 'As described.', category_id });
});
afterAll(() => t.close());

const search = async (q: string): Promise<SearchAnswer> => (await t.call(searchListings, { query: { q } })).body;
const titles = ({ listings }: SearchAnswer): string[] => listings.map(({ title }) => title);

describe('words that occur together outrank words that occur', () => {
  it.each([
    ['jane austin', 'jane austen', 'Pride and Prejudice'],
    ['steven king', 'stephen king', 'It'],
    ['king, steven', 'king stephen', 'It'],
    ['ursula leguin', 'ursula le guin', 'The Left Hand of Darkness'],
    ['lord of the flys', 'lord of the flies', 'Lord of the Flies'],
    ['the grate gatsby', 'the great gatsby', 'The Great Gatsby'],
    ['moby duck', 'moby dick', 'Moby-Dick'],
    ['enders gaem', 'enders game', 'Ender’s Game'],
  ])('%s', async (typed, corrected, title) => {
    const answer = await search(typed);
    expect(answer).toMatchObject({ corrected, left_out: [] });
    expect(titles(answer)[0]).toBe(title);
  });

  it('and never where what was typed is a book', async () => {
    for (const typed of ['keep austin weird', 'steven levitt', 'grate and hearth', 'duck rabbit'])
      expect(await search(typed)).toMatchObject({ corrected: null, listings: [{}] });
  });

  it('nor beside a word that is only half-typed', async () => {
    expect(await search('stewart king')).toMatchObject({ listings: [{ title: 'Barely Together' }] });
  });
});

describe('what is written in another way', () => {
  it.each([
    ['a name out of another alphabet', 'dostojewskij', 'Crime & Punishment'],
    ['the same beside a word of the title', 'crime dostoevski', 'Crime & Punishment'],
    ['a name as another language hears it', 'anton tschechow', 'The Seagull'],
    ['initials apart', 'j k rowling', 'The Philosopher’s Stone'],
    ['initials together', 'jk rowling', 'The Philosopher’s Stone'],
    ['three initials apart', 'j r r tolkien', 'The Two Towers'],
    ['initials that the book has apart', 'hg penrose', 'An Inquiry'],
    ['the surname first', 'rowling, j.k.', 'The Philosopher’s Stone'],
    ['"and" for "&"', 'crime and punishment', 'Crime & Punishment'],
    ['"&" for "and"', 'pride & prejudice', 'Pride and Prejudice'],
    ['a figure for a Roman numeral', 'henry 5', 'Henry V'],
    ['a Roman numeral for a figure', 'saga ii', 'Saga, Vol. 2'],
    ['a volume by another label', 'saga book 2', 'Saga, Vol. 2'],
    ['a volume in letters', 'saga volume two', 'Saga, Vol. 2'],
  ])('is found: %s', async (_, typed, title) => {
    expect(titles(await search(typed))).toEqual([title]);
  });

  it('also where the words were known before their sounds were: they are swept', async () => {
    await sql`UPDATE search_words SET sound = NULL`.execute(t.db);
    expect(titles(await search('dostojewskij'))).toEqual([]);
    await tidyWords(t.db);
    expect(titles(await search('dostojewskij'))).toEqual(['Crime & Punishment']);
  });
});

it('asks no more than it can read, whatever was typed', async () => {
  for (const q of [
    'a '.repeat(60),
    'i v x '.repeat(30),
    'lord king jane '.repeat(13),
    'x'.repeat(200),
    "o'leguin:* | '",
  ])
    expect((await t.call(searchListings, { query: { q: q.slice(0, 200) } })).status).toBe(200);
});
