import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  countListings,
  listCategoryListings,
  listListings,
  listMyListings,
  offerListing,
  readListing,
  type ListingDraft,
} from '#contract/catalog/catalog.ts';
import { parseCents } from '#contract/money/money.ts';
import { searchListings } from '#contract/catalog/search.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aSale } from '#test/deal.ts';
import { aBuyer, aCategory, aDraft, aListing, anAdmin, aSeller, aUser, type TestUser } from '#test/make.ts';
import { becoming } from './listing.queries.ts';

const RUNS = process.env['DOGEAR_TEST_LONG'] === '1' ? 1_000 : 60;

let t: TestApp;
let seller: TestUser;
let categoryId: string;
beforeAll(async () => {
  t = await testApp();
  seller = await aSeller(t);
  categoryId = await aCategory(t, seller);
});
afterAll(() => t.close());

const offer = (more: Partial<ListingDraft> = {}, as: TestUser | undefined = seller) =>
  t.call(offerListing, { body: aDraft(seller, categoryId, more) }, { as });

const row = (id: string) => t.db.selectFrom('listings').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const countRows = async (): Promise<number> => (await t.db.selectFrom('listings').select('id').execute()).length;

describe('POST /categories', () => {
  it('is refused to visitors, buyers and admins who do not sell, and stores nothing', async () => {
    const before = await countRows();
    const anonymous = await t.call(offerListing, { body: aDraft(seller, categoryId) });
    expect([anonymous.status, anonymous.body.acknowledged, anonymous.body.insertedId]).toEqual([401, false, null]);
    for (const user of [await aBuyer(t), await anAdmin(t)]) {
      const answer = await t.call(offerListing, { body: aDraft(user, categoryId) }, { as: user });
      expect([answer.status, answer.body.error?.code, answer.body.insertedId]).toEqual([403, 'forbidden', null]);
    }
    expect(await countRows()).toBe(before);
  });

  it("is refused in another seller's name or address", async () => {
    const stranger = await aUser(t, { roles: ['seller'], name: 'Someone Else' });
    expect((await offer({}, stranger)).status).toBe(403);
    expect((await offer({ email: stranger.email })).status).toBe(403);
    expect((await offer({ Seller: 'Someone Else' })).status).toBe(403);
  });

  it('lists the copy with everything that was said of it', async () => {
    const made = await offer({
      title: '  The  Waves ',
      original_price: '18',
      resale_price: 7.05,
      years_of_use: '2.5',
      condition: 'Fair',
      authors: 'Virginia Woolf',
      isbn13: '0-15-694960-1',
      published_year: '1931',
      publisher: 'Hogarth Press',
    });
    expect(made.status).toBe(201);
    const { status, body } = await t.call(readListing, { params: { id: made.body.insertedId } }, { as: seller });
    expect(status).toBe(200);
    expect(body).toEqual({
      _id: made.body.insertedId,
      photo: null,
      passport: null,
      seller_id: seller.id,
      seller_sells_as: '',
      reduced_from: null,
      offered: false,
      photos: [],
      title: 'The Waves',
      authors: 'Virginia Woolf',
      author_pages: [{ name: 'Virginia Woolf', slug: 'virginia-woolf' }],
      isbn13: '9780156949606',
      published_year: 1931,
      publisher: 'Hogarth Press',
      image_url: 'https://images.example/cover.jpg',
      Seller: seller.name,
      seller_slug: expect.any(String),
      seller_verified: false,
      email: seller.email,
      phone: '+1 555 0100',
      original_price: 18,
      original_known: true,
      resale_price: 7.05,
      years_of_use: 2.5,
      years_known: true,
      location: 'Portland',
      published_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      details: 'Spine uncreased, one dog-eared page.',
      condition: 'Fair',
      category_id: categoryId,
      category_name: categoryId,
      status: 'Available',
      waiting: 0,
      delivery: expect.objectContaining({ pickup: true, pickupPlace: 'Portland', post: false }),
    });
  });

  it('takes the seller from the session and ignores what nobody may set', async () => {
    const stranger = await aSeller(t);
    const body = {
      ...aDraft(seller, categoryId),
      seller_id: stranger.id,
      status: 'sold',
      _id: stranger.id,
      published_date: '1999-01-01',
      published_at: '1999-01-01',
      import_key: 'x',
      role: 'admin',
    };
    const answer = await t.send('POST', '/api/categories', { as: seller, body });
    expect(answer.statusCode).toBe(201);
    const stored = await row(answer.json().insertedId);
    expect(stored).toMatchObject({ seller_id: seller.id, status: 'available', import_key: null });
    expect(stored.published_at.getUTCFullYear()).toBeGreaterThan(2000);
    expect(stored.id).not.toBe(stranger.id);
  });

  it('stores prices as cents, exactly, and sends them back as the same dollars', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 50, max: 9_999_999 }), fc.boolean(), async (cents, asText) => {
        const price = asText ? (cents / 100).toFixed(2) : cents / 100;
        const made = await offer({ resale_price: price });
        expect(made.status).toBe(201);
        expect((await row(made.body.insertedId)).resale_cents).toBe(cents);
        const { body } = await t.call(readListing, { params: { id: made.body.insertedId } });
        expect(body.resale_price).toBe(cents / 100);
      }),
      { numRuns: RUNS },
    );
  });

  it('answers any price that is none with 400 and the field, and stores nothing', async () => {
    const before = await countRows();
    const wrong: unknown[] = [
      -1,
      0,
      0.49,
      100_000,
      0.001,
      '12abc',
      '1e3',
      '',
      '00000000000000000001',
      null,
      true,
      {},
      ['5'],
    ];
    for (const price of wrong) {
      const body = { ...aDraft(seller, categoryId), resale_price: price };
      const answer = await t.send('POST', '/api/categories', { as: seller, body });
      expect([JSON.stringify(price), answer.statusCode]).toEqual([JSON.stringify(price), 400]);
      expect(Object.keys(answer.json().error.fields)).toEqual(['resale_price']);
    }
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ maxLength: 20 }), fc.double()), async (price) => {
        const cents = parseCents(price);
        fc.pre(cents === undefined || cents < 50 || cents > 9_999_999);
        const answer = await t.send('POST', '/api/categories', {
          as: seller,
          body: { ...aDraft(seller, categoryId), original_price: price },
        });
        expect(answer.statusCode).toBe(400);
      }),
      { numRuns: RUNS },
    );
    expect(await countRows()).toBe(before);
  });

  it('refuses every picture address that could do more than show a picture', async () => {
    const urls = [
      'javascript:alert(1)',
      'data:text/html,<script>',
      '//evil.example/x',
      'http://a.example/x',
      'https://u:p@a.example/',
      'https:\\\\a.example',
      '',
    ];
    for (const image_url of [...urls, `https://a.example/${'x'.repeat(4_096)}`]) {
      const answer = await offer({ image_url });
      expect([image_url.slice(0, 40), answer.status]).toEqual([image_url.slice(0, 40), 400]);
      expect(Object.keys(answer.body.error?.fields ?? {})).toEqual(['image_url']);
    }
  });

  it('keeps markup as the text it is, and answers it as JSON only', async () => {
    const title = '"><svg onload=alert(1)> <img src=x onerror=alert(1)>';
    const made = await offer({ title, details: title, location: title });
    const answer = await t.send('GET', `/api/categories/${made.body.insertedId}`);
    expect(answer.json()).toMatchObject({ title, details: title, location: title });
    expect(answer.headers['content-type']).toContain('application/json');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  });

  it('names each field that is missing, wrong or of another kind', async () => {
    const empty = await offer({
      title: ' ',
      location: '',
      phone: '',
      details: '',
      years_of_use: 'long',
      category_id: '',
    });
    expect(empty.status).toBe(400);
    expect(Object.keys(empty.body.error?.fields ?? {}).sort()).toEqual([
      'category_id',
      'details',
      'location',
      'phone',
      'title',
      'years_of_use',
    ]);
    for (const title of [7, null, ['x'], { $ne: 1 }, 'nul \0 byte', 'lone \ud800', 'x'.repeat(751)]) {
      const body = { ...aDraft(seller, categoryId), title };
      const answer = await t.send('POST', '/api/categories', { as: seller, body });
      expect([answer.statusCode, Object.keys(answer.json().error.fields)]).toEqual([400, ['title']]);
    }
    const huge = await t.send('POST', '/api/categories', {
      as: seller,
      body: { ...aDraft(seller, categoryId), details: 'x'.repeat(1_000_000) },
    });
    expect(huge.statusCode).toBe(413);
  });

  it('refuses a category that does not exist', async () => {
    const answer = await offer({ category_id: 'nowhere' });
    expect([answer.status, Object.keys(answer.body.error?.fields ?? {})]).toEqual([400, ['category_id']]);
  });
});

describe('POST /categories in production', () => {
  it('waits until the address of the seller is proven', async () => {
    const env = {
      DOGEAR_MODE: 'production',
      PUBLIC_URL: 'https://books.example',
      DATABASE_URL: 'postgres://unused.example/x',
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
      SMTP_URL: 'smtp://mail.example',
    };
    const production = await testApp({ env });
    try {
      const newcomer = await aSeller(production);
      const category = await aCategory(production, newcomer);
      await production.db.updateTable('users').set({ email_proven_at: null }).where('id', '=', newcomer.id).execute();
      const body = aDraft(newcomer, category);
      expect((await production.call(offerListing, { body }, { as: newcomer })).status).toBe(403);
      await production.db
        .updateTable('users')
        .set({ email_proven_at: new Date() })
        .where('id', '=', newcomer.id)
        .execute();
      expect((await production.call(offerListing, { body }, { as: newcomer })).status).toBe(201);
    } finally {
      await production.close();
    }
  });
});

describe('GET /categories/:id', () => {
  it("keeps the seller's phone and address from everybody but them and admins, who let nobody cache those", async () => {
    const listing = await aListing(t, seller);
    const anonymous = await t.call(readListing, { params: { id: listing._id } });
    expect([anonymous.body.email, anonymous.body.phone]).toEqual(['', '']);
    expect(anonymous.headers['vary']).toContain('Authorization');
    expect(anonymous.headers['etag']).toBeDefined();
    for (const [as, known] of [
      [await aBuyer(t), ['', '']],
      [await aSeller(t), ['', '']],
      [seller, [seller.email, '+1 555 0100']],
      [await anAdmin(t), [seller.email, '+1 555 0100']],
    ] as const) {
      const params = { id: listing._id };
      const one = await t.call(readListing, { params }, { as });
      const answers = [
        one.body,
        ...(await t.call(listListings, { query: {} }, { as })).body,
        ...(await t.call(listCategoryListings, { params: { id: listing.category_id }, query: {} }, { as })).body,
        ...(await t.call(searchListings, { query: { q: listing.title } }, { as })).body.listings,
      ].filter(({ _id }) => _id === listing._id);
      expect(answers).toHaveLength(4);
      for (const { email, phone } of answers) expect([email, phone]).toEqual(known);
      expect(one.headers['cache-control']).toBe('no-store');
    }
    // Further pages, too.
    const first = await t.call(listListings, { query: { limit: '1' } }, { as: seller });
    await aListing(t, seller);
    const cursor = /cursor=([^&>]+)/.exec(String(first.headers['link']))?.[1];
    const further = await t.call(listListings, { query: { limit: '100', cursor } }, { as: seller });
    const own = further.body.filter(({ email }) => email !== '');
    expect(own.map(({ email }) => email)).toEqual(own.map(() => seller.email));
  });

  it('shows the phone to whoever bought the copy, until 30 days after the order ended', async () => {
    const { buyer, bookingId, copy } = await aSale(t);
    const phone = async (as: TestUser) => (await t.call(readListing, { params: { id: copy._id } }, { as })).body.phone;
    expect([await phone(buyer), await phone(await aBuyer(t))]).toEqual(['+1 555 0100', '']);
    const over = (days: number) =>
      sql`UPDATE orders SET state = 'closed', outcome = 'completed', due_at = NULL, due_move = NULL,
        closed_at = shop_now() - make_interval(days => ${days})
        WHERE id = (SELECT order_id FROM bookings WHERE id = ${bookingId})`.execute(t.db);
    await over(29);
    expect(await phone(buyer)).toBe('+1 555 0100');
    await over(31);
    expect(await phone(buyer)).toBe('');
  });

  it('still answers a sold copy, says so, and knows a withdrawn one no more', async () => {
    const listing = await aListing(t, seller);
    const become = (status: 'held' | 'sold' | 'withdrawn') =>
      t.db.updateTable('listings').set(becoming(status)).where('id', '=', listing._id).execute();
    const read = () => t.call(readListing, { params: { id: listing._id } });
    expect((await read()).body.status).toBe('Available');
    await become('held');
    expect((await read()).body.status).toBe('Reserved');
    await become('sold');
    expect((await read()).body.status).toBe('Sold');
    await become('withdrawn');
    const gone = await read();
    expect([gone.status, gone.body._id]).toEqual([404, null]);
  });

  it('answers an id that names nothing, or is none, with the same 404', async () => {
    for (const id of ['11111111-1111-4111-8111-111111111111', 'x', "1' OR '1'='1", '%00']) {
      expect((await t.send('GET', `/api/categories/${encodeURIComponent(id)}`)).statusCode).toBe(404);
    }
  });
});

describe('GET /categories/my_products', () => {
  it('is refused to visitors, to buyers, and for another address', async () => {
    const query = { email: seller.email };
    expect((await t.call(listMyListings, { query })).status).toBe(401);
    expect((await t.call(listMyListings, { query }, { as: await aBuyer(t) })).status).toBe(403);
    expect((await t.call(listMyListings, { query }, { as: await aSeller(t) })).status).toBe(403);
    expect((await t.send('GET', '/api/categories/my_products', { as: seller })).statusCode).toBe(400);
  });

  it("lists the seller's own copies, sold ones too, withdrawn ones not, whatever the case of the address", async () => {
    const other = await aSeller(t);
    const mine = [await aListing(t, other), await aListing(t, other), await aListing(t, other)];
    await t.db
      .updateTable('listings')
      .set(becoming('sold'))
      .where('id', '=', mine[0]?._id ?? '')
      .execute();
    await t.db
      .updateTable('listings')
      .set(becoming('withdrawn'))
      .where('id', '=', mine[1]?._id ?? '')
      .execute();
    const query = { email: other.email.toUpperCase() };
    const { status, body, headers } = await t.call(listMyListings, { query }, { as: other });
    expect(status).toBe(200);
    expect(body.map((listing) => [listing._id, listing.status])).toEqual([
      [mine[2]?._id, 'Available'],
      [mine[0]?._id, 'Sold'],
    ]);
    expect([headers['x-total-count'], headers['cache-control']]).toEqual(['2', 'no-store']);
  });
});

describe('GET /categories/count', () => {
  it('counts what is available or reserved, and nothing else', async () => {
    const { body } = await t.call(countListings, {});
    const held = await aListing(t, seller);
    const sold = await aListing(t, seller);
    await t.db.updateTable('listings').set(becoming('held')).where('id', '=', held._id).execute();
    await t.db.updateTable('listings').set(becoming('sold')).where('id', '=', sold._id).execute();
    expect((await t.call(countListings, {})).body.count).toBe(body.count + 1);
  });
});
