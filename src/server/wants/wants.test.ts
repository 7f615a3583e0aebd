import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LEAST_READERS, MOST_WANTS, WANT_MOVES } from '#contract/wants/want-states.ts';
import {
  changeWantFeed,
  deleteWant,
  listUnfilledWants,
  listWants,
  putWant,
  readDemand,
  setWantState,
  type WantDraft,
} from '#contract/wants/wants.ts';
import { findPerson } from '#db/seed/orders/demo-orders.queries.ts';
import { learnEdition } from '#server/catalog/editions/edition.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBuyer, aCategory, aListing, aSeller, type TestUser } from '#test/make.ts';
import { aWant } from '#test/wants.ts';
import { sendDigests } from './watching/digest.service.ts';
import { expireDueWants, putWant as makeWant } from './wants.service.ts';

let t: TestApp;
let seller: TestUser;
let reader: TestUser;
beforeAll(async () => {
  t = await testApp();
  seller = await aSeller(t);
});
beforeEach(async () => {
  reader = await aBuyer(t);
});
afterAll(() => t.close());

const EMMA = '9780141439587';
const put = (draft: WantDraft, as: TestUser = reader, id: string = randomUUID()) =>
  t.call(putWant, { params: { id }, body: draft }, { as });

describe('a want', () => {
  it('names a book, and says beside each field what is wrong with it', async () => {
    const wrong: [WantDraft, string][] = [
      [{}, 'title'],
      [{ title: ' — ' }, 'title'],
      [{ isbn13: '9780141439588' }, 'isbn13'],
      [{ title: 'Emma', max_price: '0.10' }, 'max_price'],
      [{ title: 'Emma', max_price: 'ten' }, 'max_price'],
      [{ title: 'Emma', near: 'Nowhereville Upon Thames' }, 'near'],
    ];
    for (const [draft, field] of wrong) {
      const { status, body } = await put(draft);
      expect([status, body]).toMatchObject([400, { error: { fields: { [field]: expect.any(String) } } }]);
    }
    expect((await t.call(listWants, {}, { as: reader })).body.wants).toEqual([]);
  });

  it('is the same when it is sent again, changed by its reader, and nobody else’s', async () => {
    const category = await aCategory(t, seller);
    await aListing(t, seller, { category_id: category, title: 'Persuasion', isbn13: '9780141439686' });
    const id = randomUUID();
    await put({ isbn13: '0-14-143968-8' }, reader, id);
    const { body } = await put({ isbn13: '9780141439686', max_price: '7.5', condition: 'Good' }, reader, id);
    expect(body).toMatchObject({ title: 'Persuasion', max_price: 7.5, condition: 'Good', state: 'active' });
    expect((await t.call(listWants, {}, { as: reader })).body.wants).toHaveLength(1);
    const other = await aBuyer(t);
    expect((await put({ title: 'Mine' }, other, id)).status).toBe(404);
    expect((await t.call(deleteWant, { params: { id } }, { as: other })).status).toBe(404);
    expect((await t.call(setWantState, { params: { id }, body: { state: 'paused' } }, { as: other })).status).toBe(404);
    for (const count of [1, 0])
      expect((await t.call(deleteWant, { params: { id } }, { as: reader })).body.deletedCount).toBe(count);
  });

  it('of an ISBN alone is called by its title, which Open Library is asked for where nobody here knows it', async () => {
    const viewer = await findPerson(t.db, reader.email);
    const asked: string[] = [];
    const openLibrary = async (isbn13: string) => {
      asked.push(isbn13);
      if (isbn13 !== EMMA) return undefined;
      return {
        title: 'Emma',
        authors: 'Jane Austen',
        publisher: '',
        year: 1815,
        language: '',
        binding: '',
        pages: null,
      };
    };
    const want = (isbn13: string) =>
      makeWant(t.payments.db, viewer, {
        id: randomUUID(),
        draft: { isbn13 },
        publicUrl: '',
        learnIsbn: (isbn) => learnEdition({ db: t.payments.db, openLibrary }, isbn),
      });
    expect(await want(EMMA)).toMatchObject({ isbn13: EMMA, title: 'Emma', author: 'Jane Austen' });
    expect(await want('978-0-306-40615-7')).toMatchObject({ isbn13: '9780306406157', title: '' });
    await want(EMMA);
    expect(asked).toEqual([EMMA, '9780306406157']);
  });

  it('is one of two hundred, and ends after a year unless it is renewed', async () => {
    await sql`INSERT INTO wants (user_id, title, ends_at)
      SELECT ${reader.id}::uuid, 'Book ' || n, shop_now() + interval '1 year' FROM generate_series(1, ${MOST_WANTS - 1}) AS n`.execute(
      t.db,
    );
    const { id } = await aWant(t, reader, { title: 'The last of them' });
    expect(await put({ title: 'One more' })).toMatchObject({ status: 429, body: { error: { code: 'too_many' } } });
    await t.db.updateTable('wants').set({ ends_at: new Date() }).where('id', '=', id).execute();
    expect(await expireDueWants(t.payments.db)).toBe(1);
    expect(await expireDueWants(t.payments.db)).toBe(0);
    await sendDigests(t.payments.db, (error) => {
      throw error;
    });
    const [mail] = await t.mailTo(reader.email);
    expect(mail?.subject).toBe('Do you still look for The last of them?');
    expect(mail?.text).toContain('/dashboard/wants');
    const renewed = await t.call(setWantState, { params: { id }, body: { state: 'active' } }, { as: reader });
    expect(renewed.body).toMatchObject({ state: 'active' });
    expect(Date.parse(renewed.body.endsAt)).toBeGreaterThan(Date.now() + 360 * 86_400_000);
  });

  it('has a feed of what is on the shelf, by a secret address that can be changed', async () => {
    const category = await aCategory(t, seller);
    const word = `bilby${randomUUID().slice(0, 6)}`;
    await aListing(t, seller, { category_id: category, title: `The ${word}`, resale_price: '8' });
    await aListing(t, seller, { category_id: category, title: `The ${word}`, resale_price: '80' });
    const want = await aWant(t, reader, { title: word, max_price: '10', condition: 'Good' });
    const pathOf = (address: string): string => new URL(address).pathname;
    const read = await t.send('GET', pathOf(want.feed));
    expect(read.body.split('<entry>')).toHaveLength(2);
    const changed = (await t.call(changeWantFeed, { params: { id: want.id } }, { as: reader })).body;
    expect((await t.send('GET', pathOf(want.feed))).statusCode).toBe(404);
    expect((await t.send('GET', pathOf(changed.feed))).statusCode).toBe(200);
  });

  it('comes to every state that is written down, and to no other', async () => {
    const { rows } = await sql<{ rule: string }>`SELECT pg_get_constraintdef(oid) AS rule FROM pg_constraint
      WHERE conname = 'wants_state_check'`.execute(t.db);
    const states = [...(rows[0]?.rule ?? '').matchAll(/'(\w+)'/g)].map(([, state]) => state);
    expect(states.toSorted()).toEqual(Object.keys(WANT_MOVES).toSorted());
    const reached = new Set(['active', ...Object.values(WANT_MOVES).flatMap((moves) => Object.values(moves))]);
    expect([...reached].toSorted()).toEqual(Object.keys(WANT_MOVES).toSorted());
  });
});

describe('what sellers are told', () => {
  it('is how many readers want a book, from three of them on, and never of their own wants', async () => {
    const title = `Wanted ${randomUUID()}`;
    const ask = async (as = seller) =>
      (await t.call(readDemand, { query: { title: `The ${title}: A Novel` } }, { as })).body;
    for (let n = 0; n < LEAST_READERS - 1; n += 1) await aWant(t, await aBuyer(t), { title, max_price: String(5 + n) });
    // Twice the same reader is one.
    await aWant(t, reader, { title });
    await t.db.updateTable('wants').set({ state: 'paused' }).where('user_id', '=', reader.id).execute();
    expect(await ask()).toEqual({ readers: null, most: null });
    await aWant(t, reader, { title, max_price: '12' });
    await aWant(t, reader, { title, max_price: '3' });
    expect(await ask()).toEqual({ readers: LEAST_READERS, most: 12 });
    const { books } = (await t.call(listUnfilledWants, {}, { as: seller })).body;
    expect(books).toContainEqual({ isbn13: '', title, author: '', readers: LEAST_READERS, most: 12 });
    expect(JSON.stringify(books)).not.toContain(reader.id);
    // Nobody misses what stands on the shelf, whatever it costs.
    const category = await aCategory(t, seller);
    await aListing(t, seller, { category_id: category, title: `${title} (Classics)`, resale_price: '90' });
    expect((await t.call(listUnfilledWants, {}, { as: seller })).body.books).toEqual([]);
  });
});
