import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteListing } from '#contract/catalog/catalog.ts';
import { searchListings } from '#contract/catalog/search.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aListing, aSeller, type TestUser } from '#test/make.ts';
import { sweepWords } from './word-sweep.queries.ts';
import { tidyWords } from './word-sweep.service.ts';

let t: TestApp;
let seller: TestUser;

beforeAll(async () => {
  t = await testApp();
  seller = await aSeller(t);
});
afterAll(() => t.close());

const wordsKnown = async (...words: string[]): Promise<string[]> =>
  (
    await sql<{
      word: string;
    }>`SELECT word FROM search_words WHERE word = ANY (${words}::text[]) ORDER BY word`.execute(t.db)
  ).rows.map(({ word }) => word);

const aDayLater = () => sql`UPDATE search_words SET doubted_at = doubted_at - interval '25 hours'`.execute(t.db);

test('a word that no copy has any more is dropped a day later, and one that a copy has stays', async () => {
  const gone = await aListing(t, seller, { title: 'Zanzibar Quokka' });
  await aListing(t, seller, { title: 'Quokka Stories' });
  await t.call(deleteListing, { params: { id: gone._id } }, { as: seller });
  await tidyWords(t.db);
  expect(await wordsKnown('zanzibar', 'quokka', 'stories')).toEqual(['quokka', 'stories', 'zanzibar']);
  await aDayLater();
  await tidyWords(t.db);
  expect(await wordsKnown('zanzibar', 'quokka', 'stories')).toEqual(['quokka', 'stories']);
  expect((await t.call(searchListings, { query: { q: 'qoukka' } })).body.corrected).toBe('quokka');
});

test('a word that a copy has again by then stays, and a copy that comes back brings its words along', async () => {
  const copy = await aListing(t, seller, { title: 'Wombat Almanac' });
  const leave = () => t.call(deleteListing, { params: { id: copy._id } }, { as: seller });
  const comeBack = () =>
    sql`UPDATE listings SET status = 'available', on_shelf = true, withdrawn_at = NULL WHERE id = ${copy._id}`.execute(
      t.db,
    );
  await leave();
  await tidyWords(t.db);
  await aDayLater();
  await comeBack();
  await tidyWords(t.db);
  await aDayLater();
  await tidyWords(t.db);
  expect(await wordsKnown('almanac', 'wombat')).toEqual(['almanac', 'wombat']);
  await leave();
  await tidyWords(t.db);
  await aDayLater();
  await tidyWords(t.db);
  expect(await wordsKnown('almanac', 'wombat')).toEqual([]);
  await comeBack();
  expect(await wordsKnown('almanac', 'wombat')).toEqual(['almanac', 'wombat']);
});

test('so many words are looked at at a time, one process after the other, and then it begins anew', async () => {
  await sql`INSERT INTO search_words SELECT 'spam' || chr(97 + n) FROM generate_series(0, 9) AS n`.execute(t.db);
  await sql`INSERT INTO search_words_sweep (last_word) VALUES ('spa')
    ON CONFLICT (id) DO UPDATE SET last_word = 'spa'`.execute(t.db);
  const doubted = async (): Promise<number> =>
    (
      await sql<{
        word: string;
      }>`SELECT word FROM search_words WHERE word LIKE 'spam%' AND doubted_at IS NOT NULL`.execute(t.db)
    ).rows.length;
  expect(await sweepWords(t.db, [], 4)).toBe(4);
  expect(await doubted()).toBe(4);
  await t.db.transaction().execute(async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended('search words', 0))`.execute(trx);
    expect(await sweepWords(t.db, [], 4)).toBe(0);
  });
  expect(await sweepWords(t.db, ['spame'], 6)).toBe(6);
  expect(await doubted()).toBe(9);
  await sweepWords(t.db, [], 1_000);
  await tidyWords(t.db);
  await aDayLater();
  await tidyWords(t.db);
  expect(await wordsKnown('spama', 'spamb', 'spamj')).toEqual([]);
});
