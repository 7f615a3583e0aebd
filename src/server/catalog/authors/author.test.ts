import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAuthor, type AuthorAnswer } from '#contract/catalog/authors.ts';
import { deleteListing, editListing, readListing } from '#contract/catalog/catalog.ts';
import { pauseListing } from '#contract/catalog/pausing.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBooking, aBuyer, aCategory, aListing, aSeller, type TestUser } from '#test/make.ts';
import { becoming } from '#server/catalog/listings/listing.queries.ts';

let t: TestApp;
let seller: TestUser;
let category_id: string;
beforeAll(async () => {
  t = await testApp();
  seller = await aSeller(t);
  category_id = await aCategory(t, seller);
});
afterAll(() => t.close());

const copy = (title: string, authors: string, price: number, more: Record<string, string> = {}) =>
  aListing(t, seller, { category_id, title, authors, resale_price: price, original_price: 90, ...more });

const ask = (slug: string, query: Parameters<typeof t.call<typeof readAuthor>>[1]['query'] = {}) =>
  t.call(readAuthor, { params: { slug }, query });
const page = async (slug: string): Promise<AuthorAnswer> => (await ask(slug)).body;
const titles = ({ books }: AuthorAnswer): string[] => books.map(({ title }) => title);

describe('the pages of the authors of a copy', () => {
  it.each([
    ['Ursula K. Le Guin', [['Ursula K. Le Guin', 'ursula-k-le-guin']]],
    ['Le Guin, Ursula K.', [['Ursula K. Le Guin', 'ursula-k-le-guin']]],
    ['King, Stephen', [['Stephen King', 'stephen-king']]],
    ['J. K. Rowling', [['J. K. Rowling', 'jk-rowling']]],
    ['Rowling, J.K.', [['J.K. Rowling', 'jk-rowling']]],
    ['J K Rowling', [['J K Rowling', 'jk-rowling']]],
    ['J.R.R. Tolkien', [['J.R.R. Tolkien', 'jrr-tolkien']]],
    ['Gabriel García Márquez', [['Gabriel García Márquez', 'gabriel-garcia-marquez']]],
    ['Kurt Vonnegut, Jr.', [['Kurt Vonnegut Jr.', 'kurt-vonnegut']]],
    ['Shakespeare, William, 1564-1616', [['William Shakespeare', 'william-shakespeare']]],
    ['by Robert Fagles (Translator)', [['Robert Fagles', 'robert-fagles']]],
    [
      'Terry Pratchett; Neil Gaiman',
      [
        ['Terry Pratchett', 'terry-pratchett'],
        ['Neil Gaiman', 'neil-gaiman'],
      ],
    ],
    [
      'Terry Pratchett & Neil Gaiman',
      [
        ['Terry Pratchett', 'terry-pratchett'],
        ['Neil Gaiman', 'neil-gaiman'],
      ],
    ],
    [
      'J.K. Rowling, Mary GrandPré',
      [
        ['J.K. Rowling', 'jk-rowling'],
        ['Mary GrandPré', 'mary-grandpre'],
      ],
    ],
    [
      'Pratchett, Terry and Gaiman, Neil',
      [
        ['Terry Pratchett', 'terry-pratchett'],
        ['Neil Gaiman', 'neil-gaiman'],
      ],
    ],
    ['Frank Herbert; Frank Herbert', [['Frank Herbert', 'frank-herbert']]],
    ['Толстой, Лев', [['Лев Толстой', 'лев-толстой']]],
    ['Various', []],
    ['n/a', []],
    ['Various Authors; et al.', []],
    ['1984', []],
    ['', []],
  ] as const)('of "%s"', async (authors, pages) => {
    const { _id: id } = await copy('A Book', authors, 5);
    const { author_pages } = (await t.call(readListing, { params: { id } })).body;
    expect(author_pages).toEqual(pages.map(([name, slug]) => ({ name, slug })));
    for (const { slug } of author_pages) expect(await page(slug)).toMatchObject({ slug, books: [{}] });
  });

  it('are none of a text that is anything but names', async () => {
    const { rows } = await sql<{ slugs: string[] }>`SELECT author_slugs(odd) AS slugs FROM unnest(${[
      ';;,,&&',
      'x'.repeat(500),
      '(((',
      'a, b, c, d and '.repeat(30),
      '\\ % _ \' " <b>',
    ]}::text[]) AS odd`.execute(t.db);
    expect(rows.map(({ slugs }) => slugs.length)).toEqual([0, 0, 0, 4, 1]);
  });
});

describe('GET /author/:slug', () => {
  it('gathers the copies of an author by ISBN, and without one by title, most copies first', async () => {
    const author = 'Octavia E. Butler';
    const isbn13 = '9780446675505';
    await copy('Parable of the Sower', author, 9, { isbn13 });
    const cheapest = await copy('Parable of the Sower', 'Butler, Octavia E.', 4.5, { isbn13 });
    await copy('Parable of the Sower (1993)', author, 7, { isbn13: '0-446-67550-4' });
    await copy('Kindred', author, 8);
    const older = await copy('KINDRED', author, 6);
    await copy('Dawn', author, 3);
    await copy('Somebody else on Octavia E. Butler', 'Ann Other', 2);
    const answer = await ask('octavia-e-butler');
    expect(answer.body).toEqual({
      slug: 'octavia-e-butler',
      name: author,
      count: 3,
      next: null,
      books: [
        {
          _id: cheapest._id,
          title: 'Parable of the Sower',
          authors: author,
          isbn13,
          copies: 3,
          from: 4.5,
          image_url: '',
          photo: null,
        },
        expect.objectContaining({ _id: older._id, isbn13: '', copies: 2, from: 6 }),
        expect.objectContaining({ title: 'Dawn', copies: 1 }),
      ],
    });
    expect(answer.headers['cache-control']).not.toBe('no-store');
    expect(titles((await ask('octavia-e-butler', { sort: 'title' })).body)).toEqual([
      'Dawn',
      expect.stringMatching(/^kindred$/i),
      'Parable of the Sower',
    ]);
  });

  it('answers to other ways of writing the slug, and says which is the one', async () => {
    await copy('The Long Valley', 'A. B. C. Steinbeck', 6);
    for (const slug of ['A.B.C. Steinbeck', 'a-b-c-steinbeck', 'ABC-Steinbeck', 'abc steinbeck', 'abc_steinbeck'])
      expect(await page(slug)).toMatchObject({ slug: 'abc-steinbeck', count: 1 });
  });

  it('lists page by page, each book once', async () => {
    for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) await copy(title, 'Penny Page', 5);
    const first = (await ask('penny-page', { limit: '2', sort: 'title' })).body;
    const second = (await ask('penny-page', { limit: '2', sort: 'title', cursor: first.next ?? '' })).body;
    const third = (await ask('penny-page', { limit: '2', sort: 'title', cursor: second.next ?? '' })).body;
    expect([first, second, third].flatMap(titles)).toEqual(['Five', 'Four', 'One', 'Three', 'Two']);
    expect([first.count, third.next]).toEqual([5, null]);
    for (const cursor of ['x', '-1', Buffer.from('1.5').toString('base64url')])
      expect((await ask('penny-page', { cursor })).status).toBe(400);
    expect((await ask('penny-page', { sort: 'price' as 'title' })).status).toBe(400);
  });

  it('shows what is free or held, and nothing that is paused, sold, deleted or of somebody who has left', async () => {
    const author = 'Wanda Shelf';
    const held = await copy('Held', author, 5);
    const paused = await copy('Paused', author, 5);
    const sold = await copy('Sold', author, 5);
    const gone = await copy('Gone', author, 5);
    const edited = await copy('Of another', author, 5);
    expect((await page('wanda-shelf')).count).toBe(5);
    await aBooking(t, await aBuyer(t), held);
    await t.call(pauseListing, { params: { id: paused._id }, body: { paused: true } }, { as: seller });
    await t.db.updateTable('listings').set(becoming('held')).where('id', '=', sold._id).execute();
    await t.db.updateTable('listings').set(becoming('sold')).where('id', '=', sold._id).execute();
    await t.call(deleteListing, { params: { id: gone._id } }, { as: seller });
    await t.call(editListing, { params: { id: edited._id }, body: { authors: 'Ann Other' } }, { as: seller });
    expect(titles(await page('wanda-shelf'))).toEqual(['Held']);
  });

  it('is 404 for an author of whom nothing is here, and for what names nobody', async () => {
    await copy('Anthology', 'Various', 5);
    for (const slug of ['nobody-at-all', 'various', '---', '1984', 'x'.repeat(81), 'a'.repeat(200), "o'; DROP"]) {
      const answer = await ask(slug);
      expect([slug, answer.status, answer.body]).toMatchObject([slug, 404, { slug: null }]);
    }
  });
});
