import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { findingOf, type Finding } from '#lab/proofs/books/finding.ts';
import type { Cast, Person } from './people.ts';
import type { ShopClient } from './shop-client.ts';

/** Where a crash parts the matching of a copy from its being held. */
export const WANT_POINTS = ['want-matched', 'want-held'] as const;

/** So many readers look for each book: as many as are offered one before it is on the shelf. */
const READERS = 3;
const LIMIT_MS = 60_000;
const LOOK_MS = 150;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Row {
  readonly id: string;
  readonly status: string;
  readonly is_aside: boolean;
  readonly offers: number;
  readonly readers: number;
  readonly offer: string | null;
  readonly reader: string | null;
}

const STATES = `
  SELECT l.id, l.status, coalesce(a.is_due, false) AS is_aside,
    (SELECT count(*)::integer FROM want_offers AS o WHERE o.listing_id = l.id) AS offers,
    (SELECT count(DISTINCT w.user_id)::integer FROM want_offers AS o JOIN wants AS w ON w.id = o.want_id
      WHERE o.listing_id = l.id) AS readers,
    f.id AS offer, f.user_id AS reader
  FROM listings AS l LEFT JOIN copies_aside AS a ON a.listing_id = l.id
    LEFT JOIN LATERAL (SELECT o.id, w.user_id FROM want_offers AS o JOIN wants AS w ON w.id = o.want_id
      JOIN holds AS h ON h.booking_id = o.booking_id
      WHERE o.listing_id = l.id AND o.state IN ('open', 'taken')) AS f ON true
  WHERE l.id = ANY ($1::uuid[])`;

/**
 * Readers who look for books that a bookseller lists: each copy is offered to three of them, who pass it on, and then
 * stands on the shelf; whatever dies meanwhile, it is never in neither place and never with two.
 */
export const createFirstRefusal = (databaseUrl: string, shop: ShopClient, cast: Cast) => {
  const copies: string[] = [];
  const broken = new Set<string>();
  let taken = 0;

  const withClient = async <A>(work: (client: pg.Client) => Promise<A>): Promise<A> => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };

  /** A book comes that three readers look for. */
  const list = (): Promise<void> =>
    withClient(async (client) => {
      const [id, title] = [randomUUID(), `Looked for ${copies.length + 1}`];
      const readers = Array.from({ length: READERS }, (_, n) => cast.buyers[(taken + n) % cast.buyers.length]?.id);
      taken += READERS;
      await client.query(
        `INSERT INTO wants (user_id, title, ends_at) SELECT u, $2, shop_now() + interval '1 year' FROM unnest($1::uuid[]) AS u`,
        [readers, title],
      );
      await client.query(
        `INSERT INTO listings (id, seller_id, category_id, title, original_cents, resale_cents, years_of_use, location, phone, details, condition)
          VALUES ($1, $2, 'prove', $3, 900, 500, 2, 'Portland', '1', 'Looked for.', 'Good')`,
        [id, cast.bookseller.id, title],
      );
      copies.push(id);
    });

  const look = (): Promise<Row[]> => withClient(async (client) => (await client.query<Row>(STATES, [copies])).rows);

  const pass = async ({ offer, reader }: Row): Promise<void> => {
    const person: Person | undefined = cast.buyers.find(({ id }) => id === reader);
    if (person === undefined || offer === null) return;
    const { status } = await shop.call(person, 'POST', `/wants/offers/${offer}/pass`);
    if (status === 500) broken.add(`passing on was answered 500 (${offer})`);
  };

  return {
    /** Lists books, one of which at least passes every point. */
    list: async (count: number): Promise<void> => {
      for (let n = 0; n < count; n += 1) await list();
    },
    /** Has everybody pass on what they are offered until all is on the shelf. */
    settle: async (): Promise<Finding[]> => {
      const deadline = performance.now() + LIMIT_MS;
      for (;;) {
        const rows = await look();
        for (const { id, status, is_aside: isAside, offer } of rows) {
          if (status === 'paused' && !isAside) broken.add(`${id} is nowhere`);
          if (status === 'held' && offer === null) broken.add(`${id} is held by nobody`);
        }
        await Promise.all(rows.map(pass));
        const open = rows.filter(({ status }) => status !== 'available');
        if (open.length === 0) {
          const wrong = rows.filter(({ offers, readers }) => offers !== READERS || readers !== READERS);
          return findingOf('first refusal', 'not offered to three readers, once each', [
            ...wrong.map(({ id, offers, readers }) => `${id} (${offers} offers to ${readers})`),
            ...broken,
          ]);
        }
        if (performance.now() > deadline)
          return findingOf('first refusal', 'neither offered nor on the shelf in time', [
            ...open.map(({ id, status }) => `${id} is ${status}`),
            ...broken,
          ]);
        await sleep(LOOK_MS);
      }
    },
    count: () => copies.length,
  };
};
