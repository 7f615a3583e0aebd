import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { MAX_UNPAID_HOLDS } from '#contract/bookings/bookings.ts';
import type { Slice } from './generator.ts';
import type { Load } from './figures/measure.ts';
import type { CopyToBook } from './figures/sample.ts';
import type { Shop } from './shop.ts';
import { BROWSER_CALL } from './targets.ts';
import { requestText, writeRequests } from './traffic.ts';

/** More than any server here books in a second. */
const MOST_A_SECOND = 3_000;
const MOST_IN_A_SLICE = 20_000;
const TOKENS_AT_ONCE = 8;

interface Buyer {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly token: string;
}

/** Puts people with a session each into the database, past the shop: how they sign up is not what is measured. */
const engage = async (client: pg.ClientBase, count: number) => {
  const run = randomBytes(4).toString('hex');
  const people = Array.from({ length: count }, (_, n) => ({
    id: randomUUID(),
    name: `Buyer ${n + 1}`,
    email: `buyer-${n + 1}-${run}@example.com`,
    session: randomBytes(32).toString('base64url'),
  }));
  await client.query(
    `INSERT INTO users (id, email, name, is_buyer, email_proven_at)
       SELECT id, email, name, true, now() FROM unnest($1::uuid[], $2::text[], $3::text[]) AS p (id, email, name)`,
    [people.map(({ id }) => id), people.map(({ email }) => email), people.map(({ name }) => name)],
  );
  await client.query(
    `INSERT INTO sessions (user_id, token_hash, expires_at)
       SELECT id, hash, now() + interval '1 day' FROM unnest($1::uuid[], $2::bytea[]) AS s (id, hash)`,
    [people.map(({ id }) => id), people.map(({ session }) => createHash('sha256').update(session).digest())],
  );
  return people;
};

/** Buyers with an access token each, enough for the bookings of one slice. */
export const engageBuyers = async (client: pg.ClientBase, shop: Shop, sliceSeconds: number): Promise<Buyer[]> => {
  const bookings = Math.min(MOST_IN_A_SLICE, Math.ceil(sliceSeconds * MOST_A_SECOND));
  const people = await engage(client, Math.ceil(bookings / MAX_UNPAID_HOLDS));
  const buyers: Buyer[] = [];
  const queue = people.values();
  const fetchTokens = async (): Promise<void> => {
    for (const { id, name, email, session } of queue) {
      const answer = await fetch(`${shop.url}/api/jwt?email=${encodeURIComponent(email)}`, {
        headers: { cookie: `__Host-dogear=${session}` },
      });
      const body = (await answer.json()) as { accessToken?: string };
      if (!answer.ok || body.accessToken === undefined) throw new Error(`A buyer got no token: ${answer.status}.`);
      buyers.push({ id, name, email, token: body.accessToken });
    }
  };
  await Promise.all(Array.from({ length: TOKENS_AT_ONCE }, fetchTokens));
  return buyers;
};

/** A network of its own for each booking. */
const addressOf = (n: number): string => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;

/** Bookings for slice after slice: no copy twice, no buyer with more than they may hold. */
export const bookingLoads = (
  client: pg.ClientBase,
  options: { folder: string; buyers: readonly Buyer[]; copies: readonly CopyToBook[] },
) => {
  const { folder, buyers, copies } = options;
  const bookings = buyers.length * MAX_UNPAID_HOLDS;
  let used = 0;
  let slices = 0;
  const requestOf = (copy: CopyToBook, n: number): string[] => {
    const buyer = buyers[n % buyers.length];
    if (buyer === undefined) return [];
    const headers = {
      ...BROWSER_CALL,
      authorization: `Bearer ${buyer.token}`,
      // As the page does, a new one for each wish.
      'idempotency-key': randomUUID(),
      'x-forwarded-for': addressOf(used + n),
      // Who asks is known to the reference without looking.
      'x-buyer': buyer.id,
    };
    const draft = {
      listingId: copy.id,
      title: copy.title,
      buyer: buyer.name,
      email: buyer.email,
      image_url: copy.image_url,
      phone: '+1 555 0199',
      price: copy.resale_cents / 100,
      location: 'Seattle',
    };
    return [requestText('/api/bookings', headers, draft)];
  };
  return async (previous: Slice | undefined): Promise<Load> => {
    used += previous === undefined ? 0 : previous.count + previous.lost;
    await client.query('DELETE FROM holds');
    await client.query('DELETE FROM outbox');
    // What autovacuum does within a minute in a shop, and a slice is too short for: a table that was last looked at
    // when it was empty is read whole, by the checks of foreign keys too.
    await client.query('VACUUM (TRUNCATE off, ANALYZE) holds, outbox');
    await client.query('ANALYZE bookings');
    const wanted = copies.slice(used, used + bookings);
    if (wanted.length === 0) throw new Error('All copies are booked: measure for fewer seconds.');
    slices += 1;
    const file = await writeRequests(folder, `bookings-${slices}`, wanted.flatMap(requestOf));
    return { file, once: true, expected: 201 };
  };
};
