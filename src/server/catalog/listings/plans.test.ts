import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bookCopy, listMyBookings, listMyBuyers, readBooking } from '#contract/bookings/bookings.ts';
import {
  countListings,
  listCategories,
  listCategoryListings,
  listListings,
  listMyListings,
  readListing,
} from '#contract/catalog/catalog.ts';
import { readAuthor } from '#contract/catalog/authors.ts';
import { readEditionPage } from '#contract/catalog/editions/edition-page.ts';
import { listEditionCopies } from '#contract/catalog/editions/editions.ts';
import { normaliseIsbn } from '#contract/catalog/isbn.ts';
import type { EndpointSpec, Input } from '#contract/endpoint.ts';
import { searchListings, suggestSearches, type SearchQuery } from '#contract/catalog/search.ts';
import { connect } from '#server/platform/postgres/db.ts';
import { searchListings as findListings } from '#server/catalog/search/search.service.ts';
import { sweepWords } from '#server/catalog/search/word-sweep.queries.ts';
import { ANONYMOUS } from '#server/platform/viewer.ts';
import { sortedCursorOf } from '#server/platform/sorted-cursor.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBookingDraft, aBuyer, aSeller, type TestUser } from '#test/make.ts';

// Every statement that a call really sends is explained on 100,000 copies: with its values, and where it is prepared
// for all values too.

const COPIES = 100_000;
/** Rows that may be sorted: more is the whole of something. */
const MOST_SORTED = 6_000;
/**
 * Where the newest few thousand are looked through for facets, all that match may be sorted for that when they are
 * fewer than what walking to the last of these would meet.
 */
const MOST_SORTED_FOR_FACETS = 15_000;
/** Tables that grow with the shop; the others fit a page or two. */
const LARGE = new Set(['listings', 'bookings', 'holds', 'waitlist_entries', 'orders', 'outbox', 'payment_intents']);

interface Asked {
  readonly text: string;
  readonly values: unknown[];
  readonly isPrepared: boolean;
}

let t: TestApp;
let seller: TestUser;
let buyer: TestUser;
const asked: Asked[] = [];
const query = pg.Client.prototype.query;

const remember = (first: unknown, second: unknown): void => {
  if (typeof first === 'string')
    return void asked.push({ text: first, values: (second as unknown[]) ?? [], isPrepared: false });
  const { text, values = [], name } = first as pg.QueryConfig & { name?: string };
  asked.push({ text, values, isPrepared: name !== undefined });
};

beforeAll(async () => {
  t = await testApp();
  [seller, buyer] = await Promise.all([aSeller(t), aBuyer(t)]);
  const others = await Promise.all(Array.from({ length: 20 }, () => aSeller(t)));
  const sellers = [seller, ...others].map(({ id }) => id);
  await sql`INSERT INTO categories (id, name) SELECT 'c' || n, 'Category ' || n FROM generate_series(1, 16) AS n`.execute(
    t.db,
  );
  const filling = connect(t.databaseUrl, { connections: 2, timeouts: false });
  // What the triggers tell and remember is no part of what is read here.
  await sql`ALTER TABLE listings DISABLE TRIGGER USER`.execute(filling.db);
  const common = ['history', 'garden', 'night', 'river', 'stone', 'letters', 'winter', 'house'];
  const insert = (from: number, to: number) =>
    sql`
    INSERT INTO listings (seller_id, category_id, title, authors, isbn13, publisher, original_cents, resale_cents, years_of_use, location,
      phone, details, condition, published_at, status, on_shelf)
    SELECT (${sellers}::uuid[])[1 + n % ${sellers.length}::integer], 'c' || 1 + n % 16,
      'The ' || (${common}::text[])[1 + n % 8] || ' of ' || to_hex(n % 5000), 'Author ' || n % 3000, CASE n % 2 WHEN 0 THEN '' ELSE '97800000' || 10000 + n % 5000 END,
      'Press', 2000, 100 + n % 1900, 1, 'Here', '', 'a fine copy', 'Good', now() - n * interval '1 minute',
      CASE WHEN n % 20 = 0 THEN 'sold' ELSE 'available' END, n % 20 <> 0
    FROM generate_series(${from}::integer, ${to}::integer) AS n`.execute(filling.db);
  const parts = Array.from({ length: 50 }, (_, place) => (place * COPIES) / 50);
  const work = async (): Promise<void> => {
    for (let from = parts.pop(); from !== undefined; from = parts.pop()) await insert(from + 1, from + COPIES / 50);
  };
  await Promise.all([work(), work()]);
  await sql`INSERT INTO bookings (listing_id, buyer_id, seller_id, title, authors, image_url, buyer_name, buyer_email, phone, location, price_cents, paid_at)
    SELECT id, ${buyer.id}::uuid, seller_id, title, authors, '', 'A', 'a@example.com', '', '', 100, now() FROM listings WHERE status = 'sold'`.execute(
    filling.db,
  );
  // What was paid is an order each, of which every other waits for something.
  await sql`WITH paid AS (
      INSERT INTO checkouts (id, buyer_id, seller_id, delivery) SELECT id, buyer_id, seller_id, 'post' FROM bookings
      RETURNING id, buyer_id, seller_id)
    INSERT INTO orders (id, buyer_id, seller_id, delivery, due_at, due_move, state, outcome, closed_at)
    SELECT id, buyer_id, seller_id, 'post',
      CASE WHEN n % 2 = 0 THEN now() + n * interval '1 minute' END, CASE WHEN n % 2 = 0 THEN 'cancel-unposted' END,
      CASE WHEN n % 2 = 0 THEN 'paid' ELSE 'closed' END, CASE WHEN n % 2 = 1 THEN 'completed' END,
      CASE WHEN n % 2 = 1 THEN now() END
    FROM (SELECT *, row_number() OVER () AS n FROM paid) AS paid`.execute(filling.db);
  await sql`UPDATE bookings SET order_id = id`.execute(filling.db);
  await sql`ALTER TABLE listings ENABLE TRIGGER USER`.execute(filling.db);
  for (const table of ['listings', 'bookings', 'orders', 'users'])
    await sql`VACUUM ANALYZE ${sql.table(table)}`.execute(filling.db);
  await filling.close();
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    remember(given[0], given[1]);
    return (query as (...args: unknown[]) => unknown).apply(this, given);
  } as typeof query;
}, 120_000);
afterAll(async () => {
  pg.Client.prototype.query = query;
  await t.close();
});

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Plan Rows': number;
  /** What was read of it each time, where it was run; rows that did not fit apart. */
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

const badIn = (plan: Plan, mostSorted: number): string[] =>
  nodesOf(plan).flatMap((node) => {
    const table = node['Relation Name'] ?? '';
    if (node['Node Type'] === 'Seq Scan' && LARGE.has(table)) return [`reads all of ${table}`];
    const isLarge = node['Node Type'].includes('Sort') && (node.Plans?.[0]?.['Plan Rows'] ?? 0) > mostSorted;
    return isLarge ? [`sorts ${node.Plans?.[0]?.['Plan Rows']} rows`] : [];
  });

const literal = (value: unknown): string =>
  pg.escapeLiteral(
    Array.isArray(value) ? `{${value.join(',')}}` : value instanceof Date ? value.toISOString() : String(value),
  );

/** The plan for these values, and of a prepared statement the one for all. */
const plansOf = async (client: pg.Client, { text, values, isPrepared }: Asked): Promise<Plan[]> => {
  const explained = async (statement: string, given: unknown[] = []): Promise<Plan> => {
    const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${statement}`, given);
    return rows[0]['QUERY PLAN'][0].Plan;
  };
  const own = await explained(text, values);
  if (!isPrepared || values.length === 0) return [own];
  await client.query(`PREPARE for_all AS ${text}`);
  await client.query('SET plan_cache_mode = force_generic_plan');
  const forAll = await explained(
    `EXECUTE for_all (${values.map((value) => (value === null ? 'NULL' : literal(value))).join(', ')})`,
  );
  await client.query('RESET plan_cache_mode; DEALLOCATE for_all');
  return [own, forAll];
};

/**
 * What is wrong with the plans of what `work` asks of the database. It works more than once, as the first time may
 * differ.
 */
const problemsOf = async (work: () => Promise<unknown>, mostSorted = MOST_SORTED): Promise<string[]> => {
  asked.length = 0;
  for (let time = 0; time < 3; time += 1) await work();
  const byText = new Map(asked.map((one) => [one.text, one]));
  const statements = [...byText.values()].filter(({ text }) => /^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\s/i.test(text));
  expect(statements.length).toBeGreaterThan(0);
  const client = new pg.Client({ connectionString: t.databaseUrl, options: '-c jit=off -c random_page_cost=1.1' });
  await client.connect();
  try {
    const problems: string[] = [];
    for (const one of statements)
      for (const plan of await plansOf(client, one))
        problems.push(
          ...badIn(plan, mostSorted).map((what) => `${what}: ${one.text.replaceAll(/\s+/g, ' ').slice(0, 300)}`),
        );
    return [...new Set(problems)];
  } finally {
    await client.end();
  }
};

const calling =
  <E extends EndpointSpec>(spec: E, input: Input<E>, as?: TestUser) =>
  async (): Promise<void> => {
    const { status } = await t.call(spec, input, { as });
    expect(status).toBe(spec.status);
  };

const PLACE_ID = '11111111-1111-4111-8111-111111111111';
const PLACE = `2026-01-01T00:00:00.000000Z_${PLACE_ID}`;
const CURSOR = Buffer.from(PLACE).toString('base64url');
const DUE_CURSORS = ['lead', 'wait'].map((part) => Buffer.from(`${part}_${PLACE}`).toString('base64url'));
/** The other orders of a seller's own copies, with where each is far down. */
const OWN_SORTS = [
  ['title-up', 'the night'],
  ['title-down', 'the night'],
  ['price-up', '1500'],
  ['price-down', '500'],
] as const;

describe('on 100,000 copies nothing is read or sorted whole by', () => {
  test.each([
    ['all listings', listListings, { query: {} }],
    ['all listings, far down', listListings, { query: { cursor: CURSOR } }],
    ['a category', listCategoryListings, { params: { id: 'c3' }, query: {} }],
    ['a category, far down', listCategoryListings, { params: { id: 'c3' }, query: { cursor: CURSOR } }],
    ['the categories', listCategories, {}],
  ] as const)('%s', async (_, spec, input) => {
    expect(await problemsOf(calling(spec as EndpointSpec, input as never))).toEqual([]);
  });

  test.each([
    'history', // in the title of every eighth
    '12f', // of some
    'the history of 12f', // a whole title
    'the history', // how many begin
    'author 77',
    'fine copy', // in all details
    'nothing has this',
    'histori',
    '9780000010001',
    'history under $8 good', // read as choices
    'here',
    'category 3 good',
    'night xqzzy good', // nothing has all of it
  ])('the search for "%s"', async (q) => {
    expect(await problemsOf(calling(searchListings, { query: { q } }))).toEqual([]);
    const withFacets = calling(searchListings, { query: { q, facets: '1' } }, buyer);
    expect(await problemsOf(withFacets, MOST_SORTED_FOR_FACETS)).toEqual([]);
    expect(await problemsOf(calling(searchListings, { query: { q, category: 'c3', max: '12' } }))).toEqual([]);
    const withChoice = calling(searchListings, { query: { q, category: 'c3', facets: '1' } });
    expect(await problemsOf(withChoice, MOST_SORTED_FOR_FACETS)).toEqual([]);
  });

  test.each(['newest', 'price-up', 'price-down', 'saving'] as const)('a search by %s', async (sort) => {
    expect(await problemsOf(calling(searchListings, { query: { sort } }))).toEqual([]);
    expect(await problemsOf(calling(searchListings, { query: { sort, q: 'night' } }))).toEqual([]);
  });

  test.each(['th', 'the his', '12f', 'autho'])('the suggestions for "%s"', async (q) => {
    expect(await problemsOf(calling(suggestSearches, { query: { q } }))).toEqual([]);
  });

  test('a book, the other copies of it, and booking it', async () => {
    const copies = async () =>
      (await t.call(listListings, { query: { limit: '100' } })).body.filter(({ status }) => status === 'Available');
    const [copy] = await copies();
    expect(await problemsOf(calling(readListing, { params: { id: copy?._id ?? '' } }))).toEqual([]);
    expect(await problemsOf(calling(listEditionCopies, { params: { id: copy?._id ?? '' } }))).toEqual([]);
    let bookingId = '';
    const book = async (): Promise<void> => {
      const [next] = await copies();
      if (next === undefined) throw new Error('no copy');
      const { status, body } = await t.call(bookCopy, { body: aBookingDraft(buyer, next) }, { as: buyer });
      expect(status).toBe(201);
      bookingId = body.insertedId;
    };
    expect(await problemsOf(book)).toEqual([]);
    expect(asked.some(({ text, isPrepared }) => isPrepared && text.includes('INSERT INTO bookings'))).toBe(true);
    expect(await problemsOf(calling(readBooking, { params: { id: bookingId } }, buyer))).toEqual([]);
  });

  test('an edition, an author and a part of the sitemap', async () => {
    const rows = await t.db.selectFrom('listings').select('isbn13').where('on_shelf', '=', true).limit(200).execute();
    const isbn = rows.find(({ isbn13 }) => normaliseIsbn(isbn13) !== undefined)?.isbn13 ?? '';
    for (const sort of ['price', 'grade'] as const)
      expect(await problemsOf(calling(readEditionPage, { params: { isbn }, query: { sort } }))).toEqual([]);
    for (const sort of ['copies', 'title'] as const)
      expect(await problemsOf(calling(readAuthor, { params: { slug: 'author-77' }, query: { sort } }))).toEqual([]);
    const part = async (): Promise<void> => {
      const path =
        /<loc>[^<]*(\/sitemap-books[^<]*)<\/loc>/.exec((await t.send('GET', '/sitemap.xml')).body)?.[1] ?? '';
      expect((await t.send('GET', path)).body).toContain('/author/author-77<');
    };
    // A part is 10,000 copies, which are put in order.
    expect(await problemsOf(part, MOST_SORTED_FOR_FACETS)).toEqual([]);
  });

  test('the number of copies', async () => {
    expect(await problemsOf(calling(countListings, {}))).toEqual([]);
  });

  test('what a seller and a buyer have', async () => {
    const lists = [
      calling(listMyListings, { query: { email: seller.email } }, seller),
      ...OWN_SORTS.flatMap(([sort, key]) => [
        calling(listMyListings, { query: { email: seller.email, sort } }, seller),
        calling(
          listMyListings,
          { query: { email: seller.email, sort, cursor: sortedCursorOf(sort, { key, id: PLACE_ID }) } },
          seller,
        ),
      ]),
      calling(listMyBuyers, { query: { email: seller.email } }, seller),
      ...DUE_CURSORS.map((cursor) => calling(listMyBuyers, { query: { email: seller.email, cursor } }, seller)),
      calling(listMyBuyers, { query: { email: seller.email, cursor: CURSOR } }, seller),
      calling(listMyBookings, { query: { email: buyer.email } }, buyer),
    ];
    for (const list of lists) expect(await problemsOf(list)).toEqual([]);
  });
});

/** Copies of one text, for every way that a tier may be found in. */
test('however the words are found, it is the same books in the same order', async () => {
  const pages = async (q: string, more: Partial<SearchQuery> = {}): Promise<string[]> => {
    const seen: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 4; page += 1) {
      const query = { q, limit: '40', ...more, ...(cursor !== undefined && { cursor }) };
      const { body } = await t.call(searchListings, { query });
      seen.push(...body.listings.map(({ _id }) => _id));
      if (body.next === null) break;
      cursor = body.next;
    }
    return seen;
  };
  for (const q of ['history', '12f', 'the history of 12f', 'the history', 'author 77', 'fine copy', 'of', 'the']) {
    // Narrowed by what is true of all copies, PostgreSQL plans the search for common words itself.
    expect(await pages(q)).toEqual(await pages(q, { location: 'Here' }));
  }
});

/** How many rows of copies, and of what is said of them, the greediest statement that `work` asks reads. */
const mostReadBy = async (work: () => Promise<unknown>): Promise<number> => {
  asked.length = 0;
  await work();
  const client = new pg.Client({ connectionString: t.databaseUrl, options: '-c jit=off -c random_page_cost=1.1' });
  await client.connect();
  try {
    let most = 0;
    for (const { text, values } of asked.filter(({ text }) => text.includes('listings'))) {
      const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
      const read = nodesOf(rows[0]['QUERY PLAN'][0].Plan as Plan)
        .filter((node) => ['listings', 'copy_passports'].includes(node['Relation Name'] ?? ''))
        .map(
          (node) => ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1),
        );
      most = Math.max(most, ...read);
    }
    return most;
  } finally {
    await client.end();
  }
};

/** PostgreSQL takes words and titles that it does not know for common, as it does among millions of copies. */
describe('where rare words are thought to be common, few copies are read by', () => {
  const FEW = 20_000;
  let fresh: ReturnType<typeof connect>;

  beforeAll(async () => {
    const filling = connect(t.databaseUrl, { connections: 1, timeouts: false });
    await sql`ALTER TABLE copy_passports DISABLE TRIGGER USER`.execute(filling.db);
    await sql`INSERT INTO copy_passports
      (listing_id, rules, binding, language, jacket, no_defects, no_jacket_defects, defects, published_at)
      SELECT id, 1, CASE hashtext(title) % 2 WHEN 0 THEN 'hardcover' ELSE 'paperback' END, 'eng',
        CASE hashtext(title) % 5 WHEN 0 THEN 'with' END, true, false, '[]', published_at FROM listings`.execute(
      filling.db,
    );
    await sql`ALTER TABLE copy_passports ENABLE TRIGGER USER`.execute(filling.db);
    await sql`ALTER TABLE listings ALTER COLUMN title_key SET (n_distinct = 100),
      ALTER COLUMN words SET STATISTICS 1, ALTER COLUMN title_words SET STATISTICS 1`.execute(filling.db);
    for (const table of ['listings', 'copy_passports'])
      await sql`VACUUM ANALYZE ${sql.table(table)}`.execute(filling.db);
    await filling.close();
    // How common words are is remembered for a minute by whoever asked.
    fresh = connect(t.databaseUrl);
  }, 120_000);
  afterAll(() => fresh.close());

  const search = (query: SearchQuery) => () => findListings(fresh.db, ANONYMOUS, query, (_, count) => count());

  test.each(['the', 'xqzzy', 'the xqzzy', 'histori 12f', '12f', 'xqzzy under $8', 'history xqzzy', 'letters of 3e7'])(
    'the search for "%s"',
    async (q) => {
      const narrowed: readonly SearchQuery[] = [
        {},
        { binding: 'hardcover' },
        { language: 'eng', jacket: '1' },
        { condition: 'Good', max: '9' },
      ];
      for (const more of narrowed)
        for (const sort of ['relevance', 'newest', 'price-up'] as const)
          expect(await mostReadBy(search({ q, sort, ...more }))).toBeLessThan(FEW);
    },
  );

  test('the sweep of words that nobody has', async () => {
    // As among ten million copies: whether one of them has a word looks cheap to find out by reading on.
    await sql`UPDATE pg_class SET reltuples = reltuples * 100 WHERE oid = 'listings'::regclass`.execute(t.db);
    await sql`INSERT INTO search_words (word) VALUES ('aaaqzzy'), ('aabqzzy') ON CONFLICT DO NOTHING`.execute(t.db);
    expect(await mostReadBy(() => sweepWords(fresh.db, ['the', 'of'], 20))).toBeLessThan(FEW);
  });
});
