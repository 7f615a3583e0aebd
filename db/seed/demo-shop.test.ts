import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { listCategories, listListings } from '#contract/catalog/catalog.ts';
import { signIn } from '#contract/users/identity.ts';
import { GRADES } from '#contract/catalog/passport/grades.ts';
import { conditionOfPassport, learnedOf, passportProblem } from '#contract/catalog/passport/passport-rules.ts';
import { isEmail } from '#contract/users/identity-rules.ts';
import { normaliseIsbn } from '#contract/catalog/isbn.ts';
import { categoryProblems, listingProblems } from '#contract/catalog/listing-rules.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { DEMO_ACCOUNTS } from './demo-accounts.ts';
import { passportKey, readDemoPassports } from './demo-passports.ts';
import { readDemoGoods } from './demo-goods.ts';
import { seedDemoShop } from './demo-shop.ts';

let t: TestApp | undefined;
afterEach(async () => {
  await t?.close();
  t = undefined;
});

describe('the goods of the demo shop', () => {
  it('are 12 categories and 120 titles or more, each a listing that a seller could have sent', async () => {
    const { categories, copies, sellers } = await readDemoGoods();
    expect(categories.length).toBeGreaterThanOrEqual(12);
    expect(new Set(copies.map((copy) => copy.title)).size).toBeGreaterThanOrEqual(120);
    for (const category of categories) expect(categoryProblems(category)).toEqual({});
    for (const seller of sellers) expect(isEmail(seller.email), seller.email).toBe(true);
    for (const copy of copies) {
      const seller = sellers.find(({ email }) => email === copy.seller);
      const problems = listingProblems({
        ...copy,
        email: copy.seller,
        Seller: seller?.name ?? '',
        phone: seller?.phone ?? '',
        location: seller?.location ?? '',
        published_year: copy.year,
        // Covers are drawn.
        image_url: 'https://images.example/cover.jpg',
      });
      expect([copy.title, problems]).toEqual([copy.title, {}]);
    }
  });

  it('have true ISBNs, prices below the first price, and something of its own to say of every copy', async () => {
    const { categories, copies } = await readDemoGoods();
    for (const copy of copies) {
      expect([copy.title, normaliseIsbn(copy.isbn13) ?? '']).toEqual([copy.title, copy.isbn13]);
      expect(Number(copy.resale_price), copy.title).toBeLessThan(Number(copy.original_price));
    }
    expect(new Set(copies.map((copy) => copy.details)).size).toBe(copies.length);
    const titled = copies.filter((copy) => copy.isbn13 !== '');
    const isbns = new Set(titled.map((copy) => copy.isbn13));
    expect(isbns.size).toBe(new Set(titled.map((copy) => copy.title)).size);
    const copiesOf = Map.groupBy(copies, (copy) => copy.title);
    expect([...copiesOf.values()].filter((all) => all.length >= 3).length).toBeGreaterThanOrEqual(12);
    // A seller has one of each: photos and passports are known by both.
    expect(new Set(copies.map(({ title, seller }) => `${title} ${seller}`)).size).toBe(copies.length);
    for (const { category_id } of categories) {
      expect(copies.filter((copy) => copy.category_id === category_id).length).toBeGreaterThan(5);
    }
  });
});

describe('what is said of copies of the demo shop', () => {
  it('is as a seller could have said it, gives the condition that the copy has, and shows every grade', async () => {
    const [{ copies }, passports] = [await readDemoGoods(), await readDemoPassports()];
    for (const [key, said] of Object.entries(passports)) {
      expect([key, passportProblem(said)]).toEqual([key, undefined]);
      const copy = copies.find((one) => passportKey(copies, one) === key);
      expect([key, conditionOfPassport(said)]).toEqual([key, copy?.condition]);
    }
    const grades = new Set(Object.values(passports).map((said) => learnedOf(said).grade));
    expect(GRADES.filter((grade) => !grades.has(grade))).toEqual([]);
  });
});

describe('putting the demo shop in', () => {
  it('fills the shop once, and lets its accounts sign in', async () => {
    t = await testApp();
    expect(await seedDemoShop(t.db)).toBe(true);
    expect(await seedDemoShop(t.db)).toBe(false);
    const { categories, copies } = await readDemoGoods();
    expect((await t.call(listCategories, {})).body).toHaveLength(categories.length);
    const { body, headers } = await t.call(listListings, { query: { limit: '100' } });
    // One is paused.
    expect(headers['x-total-count']).toBe(String(copies.length - 1));
    const { rows } = await sql<{ title: string }>`SELECT title FROM listings WHERE status = 'paused'`.execute(t.db);
    expect(rows).toEqual([{ title: 'Beowulf' }]);
    const passports = await t.db.selectFrom('copy_passports').select('grade').execute();
    expect(passports).toHaveLength(Object.keys(await readDemoPassports()).length);
    const drafts = await t.db.selectFrom('listing_drafts').select('fields').execute();
    expect(drafts).toMatchObject([{ fields: { title: 'Middlemarch' } }]);
    expect(body.every((listing) => listing.status === 'Available' && listing.image_url === '')).toBe(true);
    expect(new Set(body.map((listing) => listing.published_date.slice(0, 10))).size).toBeGreaterThan(10);
    for (const { email, password, roles } of DEMO_ACCOUNTS) {
      const answer = await t.call(signIn, { body: { email, password } });
      expect([answer.status, answer.body.user.roles]).toEqual([200, roles]);
    }
  });

  it('happens once when several processes start at the same time', async () => {
    t = await testApp();
    const { db } = t;
    const answers = await Promise.all([seedDemoShop(db), seedDemoShop(db), seedDemoShop(db)]);
    expect(answers.filter((done) => done)).toHaveLength(1);
  });

  it('leaves a shop alone that is no demo', async () => {
    t = await testApp();
    await t.db.insertInto('shop').values({ demo: false, seeded_at: null }).execute();
    expect(await seedDemoShop(t.db)).toBe(false);
    expect((await t.call(listListings, { query: {} })).body).toEqual([]);
  });

  it('leaves nothing behind when it fails half-way', async () => {
    t = await testApp();
    const { copies } = await readDemoGoods();
    await t.db
      .insertInto('users')
      .values({
        email: 'ADMIN@example.com',
        name: 'Taken',
        password_hash: null,
        email_proven_at: null,
        deleted_at: null,
      })
      .execute();
    await expect(seedDemoShop(t.db)).rejects.toThrow();
    expect(await t.db.selectFrom('categories').select('id').execute()).toEqual([]);
    expect(await t.db.selectFrom('users').select('name').execute()).toEqual([{ name: 'Taken' }]);
    await t.db.deleteFrom('users').execute();
    expect(await seedDemoShop(t.db)).toBe(true);
    expect(await t.db.selectFrom('listings').select('id').execute()).toHaveLength(copies.length);
  });
});
