import { createHash, randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';

export interface Copy {
  readonly id: string;
  readonly title: string;
  readonly priceCents: number;
}

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly cookie: string;
}

export interface Cast {
  readonly buyers: readonly Person[];
  readonly admin: Person;
  readonly copies: readonly Copy[];
  /** Who is paid out, with copies of their own, and others who sell nothing yet. */
  readonly bookseller: Person;
  readonly theirCopies: readonly Copy[];
  readonly newSellers: readonly Person[];
}

const LOWEST_CENTS = 150;
const STEPS = 4_000;

const FIRST_CENTS = 400;
const FURTHER_CENTS = 100;

/** What posting so many books of one parcel costs; all sellers of the run have the same terms. */
export const postageOf = (books: number): number => (books === 0 ? 0 : FIRST_CENTS + (books - 1) * FURTHER_CENTS);

/** Whoever sells hands over or posts. */
const insertTerms = async (client: pg.Client, seller: Person): Promise<void> => {
  await client.query(
    `INSERT INTO delivery_terms (seller_id, pickup, pickup_place, post, first_cents, further_cents, countries, days_to_post)
       VALUES ($1, true, '', true, $2, $3, '{US}', 3)`,
    [seller.id, FIRST_CENTS, FURTHER_CENTS],
  );
};

const insertPeople = async (
  client: pg.Client,
  names: readonly string[],
  role: 'is_admin' | 'is_buyer' | 'is_seller',
): Promise<Person[]> => {
  const people = names.map((name) => ({
    id: randomUUID(),
    name,
    email: `${name.toLowerCase().replace(' ', '-')}@example.com`,
    token: randomBytes(32).toString('base64url'),
  }));
  await client.query(
    `INSERT INTO users (id, email, name, ${role}, email_proven_at)
       SELECT id, email, name, true, now() FROM unnest($1::uuid[], $2::text[], $3::text[]) AS p (id, email, name)`,
    [people.map(({ id }) => id), people.map(({ email }) => email), people.map(({ name }) => name)],
  );
  await client.query(
    `INSERT INTO sessions (user_id, token_hash, expires_at)
       SELECT id, hash, now() + interval '1 day' FROM unnest($1::uuid[], $2::bytea[]) AS s (id, hash)`,
    [people.map(({ id }) => id), people.map(({ token }) => createHash('sha256').update(token).digest())],
  );
  return people.map(({ id, name, email, token }) => ({ id, name, email, cookie: `dogear=${token}` }));
};

const insertCopies = async (client: pg.Client, seller: Person, count: number): Promise<Copy[]> => {
  await client.query(
    `INSERT INTO categories (id, name) VALUES ('prove', 'Books that are bought by many') ON CONFLICT DO NOTHING`,
  );
  const copies = Array.from({ length: count }, (_, n) => ({
    id: randomUUID(),
    title: `Copy ${n + 1}`,
    // Different amounts, so that one payment is never taken for another.
    priceCents: LOWEST_CENTS + ((n * 37) % STEPS),
  }));
  await client.query(
    `INSERT INTO listings (id, seller_id, category_id, title, original_cents, resale_cents, years_of_use, location, phone, details, condition)
       SELECT id, $4, 'prove', title, 9900, cents, 2, 'Portland', '+1 555 0100', 'As read by many.', 'Good'
       FROM unnest($1::uuid[], $2::text[], $3::integer[]) AS c (id, title, cents)`,
    [copies.map(({ id }) => id), copies.map(({ title }) => title), copies.map((c) => c.priceCents), seller.id],
  );
  return copies;
};

/**
 * Puts people with a session each and copies for sale into the shop's database, past the shop: they are not what is
 * proven.
 */
export const engageCast = async (
  url: string,
  count: { buyers: number; copies: number; theirCopies?: number; newSellers?: number },
): Promise<Cast> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const [seller] = await insertPeople(client, ['Prove Seller'], 'is_seller');
    const [admin] = await insertPeople(client, ['Prove Admin'], 'is_admin');
    if (seller === undefined || admin === undefined) throw new Error('Nobody was engaged.');
    const names = Array.from({ length: count.buyers }, (_, n) => `Buyer ${n + 1}`);
    const buyers = await insertPeople(client, names, 'is_buyer');
    const sellers = Array.from({ length: (count.newSellers ?? 0) + 1 }, (_, n) => `Bookseller ${n + 1}`);
    const [bookseller, ...newSellers] = await insertPeople(client, sellers, 'is_seller');
    if (bookseller === undefined) throw new Error('No bookseller was engaged.');
    for (const one of [seller, bookseller]) await insertTerms(client, one);
    return {
      buyers,
      admin,
      copies: await insertCopies(client, seller, count.copies),
      bookseller,
      theirCopies: await insertCopies(client, bookseller, count.theirCopies ?? 0),
      newSellers,
    };
  } finally {
    await client.end();
  }
};
