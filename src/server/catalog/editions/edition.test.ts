import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readEdition } from '#contract/catalog/editions/edition-calls.ts';
import { deleteListing } from '#contract/catalog/catalog.ts';
import { createOpenLibraryStandin, type OpenLibraryStandin } from '#standins/open-library/standin.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBuyer, aCategory, aListing, aSeller, type TestUser } from '#test/make.ts';

let standin: OpenLibraryStandin;
let url: string;
let t: TestApp;
let seller: TestUser;
beforeEach(async () => {
  standin = createOpenLibraryStandin();
  url = `http://127.0.0.1:${await standin.listen(0)}/`;
  t = await testApp({ openLibrary: url });
  seller = await aSeller(t);
});
afterEach(async () => {
  await t.close();
  await standin.close();
});

const look = (isbn: string, as: TestUser = seller) => t.call(readEdition, { params: { isbn } }, { as });

/** A row of the table as the dumps fill it. */
const aDumpedEdition = (isbn13: string) =>
  t.db
    .insertInto('editions')
    .values({
      isbn13,
      title: 'The Left Hand of Darkness',
      authors: 'Ursula K. Le Guin',
      publisher: 'Ace Books',
      year: 1987,
      language: 'eng',
      binding: 'mass market',
      pages: 304,
      source: 'dump',
    })
    .execute();

const LEFT_HAND = '9780441478125';
/** Of the stand-in: at the edition are the authors of the first, at its work those of the second. */
const HUNGER_GAMES = '9780439023481';
const HARRY_POTTER = '9780439554930';

describe('GET /editions/:isbn', () => {
  it('answers out of the table, in whatever form the ISBN is written', async () => {
    await aDumpedEdition(LEFT_HAND);
    for (const isbn of ['0441478123', 'ISBN 978-0-441-47812-5', '9780441478125 50799', '978‑0441478125']) {
      const { status, body } = await look(isbn);
      expect([status, body]).toEqual([
        200,
        {
          isbn13: LEFT_HAND,
          title: 'The Left Hand of Darkness',
          authors: 'Ursula K. Le Guin',
          publisher: 'Ace Books',
          year: 1987,
          language: 'eng',
          binding: 'mass market',
          pages: 304,
          source: 'table',
        },
      ]);
    }
    expect(standin.calls).toHaveLength(0);
  });

  it('prefers what most copies here say, with binding and pages of the table', async () => {
    await aDumpedEdition(LEFT_HAND);
    const category = await aCategory(t, seller);
    const copy = (title: string, more = {}) =>
      aListing(t, seller, { category_id: category, title, isbn13: LEFT_HAND, ...more });
    const odd = await copy('left hand of darknes');
    await copy('The Left Hand of Darkness', { authors: 'Ursula Le Guin', published_year: 1969 });
    await copy('The Left Hand of Darkness', { authors: 'Ursula Le Guin', published_year: 1969 });
    expect((await look(LEFT_HAND)).body).toMatchObject({
      title: 'The Left Hand of Darkness',
      authors: 'Ursula Le Guin',
      publisher: '',
      year: 1969,
      binding: 'mass market',
      pages: 304,
      source: 'shop',
    });
    await t.call(deleteListing, { params: { id: odd._id } }, { as: seller });
    expect((await look(LEFT_HAND)).body.source).toBe('shop');
  });

  it('says what is wrong with a number, and that nobody knows a book', async () => {
    const sentences = [
      ['978-0-306-40615-8', 'The check digit does not fit: one of the digits is wrong'],
      ['9790260000438', 'This number is of printed music, not of a book: leave it empty'],
      ['0000000000', 'This number is of no book: it repeats one digit'],
      ['hello', 'An ISBN has 10 digits, or 13 that begin with 978 or 979'],
    ] as const;
    for (const [isbn, message] of sentences) {
      const { status, body } = await look(isbn);
      expect([status, body]).toMatchObject([400, { isbn13: null, error: { message, fields: { isbn13: message } } }]);
    }
    const { status, body } = await look('9780306406157');
    expect([status, body]).toMatchObject([
      404,
      { isbn13: null, error: { message: 'Nobody here knows this ISBN: fill in the book by hand' } },
    ]);
  });

  it('is for sellers', async () => {
    const nobody = await t.call(readEdition, { params: { isbn: LEFT_HAND } });
    expect(nobody.status).toBe(401);
    expect((await look(LEFT_HAND, await aBuyer(t))).status).toBe(403);
  });
});

describe('Open Library', () => {
  it('is asked once for an ISBN, with the names at its work where the edition has none', async () => {
    const first = {
      isbn13: HUNGER_GAMES,
      title: 'The Hunger Games (The Hunger Games, #1)',
      authors: 'Suzanne Collins',
    };
    const facts = { publisher: '', year: 2008, language: 'eng', binding: '', pages: null, source: 'open-library' };
    expect((await look(HUNGER_GAMES)).body).toEqual({ ...first, ...facts });
    expect((await look(HUNGER_GAMES)).body).toEqual({ ...first, ...facts });
    expect(standin.calls).toHaveLength(1);
    expect((await look(HARRY_POTTER)).body).toMatchObject({ authors: 'J.K. Rowling, Mary GrandPré' });
    expect(standin.calls).toHaveLength(3);
  });

  it('is asked anew after 90 days, and what it said stands until it answers', async () => {
    await look(HUNGER_GAMES);
    const age = (days: number) =>
      sql`UPDATE editions SET title = 'Old', fetched_at = now() - ${days} * interval '1 day'`.execute(t.db);
    await age(89);
    expect((await look(HUNGER_GAMES)).body.title).toBe('Old');
    await age(91);
    standin.fail('down');
    expect((await look(HUNGER_GAMES)).body.title).toBe('Old');
    standin.fail('none');
    expect((await look(HUNGER_GAMES)).body.title).toBe('The Hunger Games (The Hunger Games, #1)');
  });

  it('is asked for what it did not know again after a day', async () => {
    const unknown = '9780306406157';
    expect((await look(unknown)).status).toBe(404);
    expect((await look(unknown)).status).toBe(404);
    expect(standin.calls).toHaveLength(1);
    await sql`UPDATE edition_misses SET asked_at = now() - interval '25 hours'`.execute(t.db);
    await look(unknown);
    expect(standin.calls).toHaveLength(2);
  });

  it.each(['down', 'too-many', 'garbage', 'elsewhere'] as const)(
    'keeps nobody from listing by hand when it is %s, and keeps nothing of that',
    async (fault) => {
      standin.fail(fault);
      const { status, body } = await look(HUNGER_GAMES);
      expect([status, body.error?.message]).toEqual([
        404,
        'This ISBN cannot be looked up now: fill in the book by hand, or try again in a minute',
      ]);
      expect(await t.db.selectFrom('edition_misses').select('isbn13').execute()).toEqual([]);
      standin.fail('none');
      expect((await look(HUNGER_GAMES)).status).toBe(200);
    },
  );

  it('is waited for two seconds, and left alone when it fails again and again', async () => {
    standin.fail('silent');
    const startedAt = performance.now();
    expect((await look(HUNGER_GAMES)).status).toBe(404);
    expect(performance.now() - startedAt).toBeLessThan(3_500);
    standin.fail('down');
    for (let n = 0; n < 6; n += 1) await look(HUNGER_GAMES);
    const asked = standin.calls.length;
    expect(asked).toBe(5);
    expect((await look(HUNGER_GAMES)).status).toBe(404);
    expect(standin.calls).toHaveLength(asked);
  });

  it('is asked at most three times a second by all processes together', async () => {
    const other = await testApp({ beside: t, openLibrary: url });
    try {
      const before = Date.now();
      const isbns = ['9780316015844', '9780061120084', '9780743273565', '9780525478812', '9780618260300'];
      const calls = isbns.map((isbn13, n) =>
        (n % 2 === 0 ? t : other).call(readEdition, { params: { isbn: isbn13 } }, { as: seller }),
      );
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      // Whoever would wait longer than a second is told to go on by hand.
      expect(statuses).toContain(200);
      expect(standin.calls.length).toBeGreaterThan(2);
      // A busy machine makes calls late, never early; a clock or timer of the system by some milliseconds.
      for (const [n, at] of standin.calls.entries()) expect(at - before).toBeGreaterThan(n * 334 - 20);
    } finally {
      await other.close();
    }
  });

  it('is not asked by a shop whose operator gave no contact', async () => {
    const silent = await testApp({ beside: t });
    try {
      const { status } = await silent.call(readEdition, { params: { isbn: HUNGER_GAMES } }, { as: seller });
      expect([status, standin.calls.length]).toEqual([404, 0]);
    } finally {
      await silent.close();
    }
  });
});
