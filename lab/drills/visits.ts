import pg from 'pg';
import type { Client, Ask } from './client.ts';
import type { Sending } from './load.ts';

/** What visitors of a shop look at. */
export interface Sights {
  readonly categories: readonly string[];
  readonly copies: readonly string[];
  readonly words: readonly string[];
}

/** Finds some in the shop's database. */
export const readSights = async (url: string): Promise<Sights> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const [categories, copies] = await Promise.all([
      client.query<{ id: string }>('SELECT id FROM categories ORDER BY id LIMIT 20'),
      client.query<{ id: string; title: string }>(
        `SELECT id, title FROM listings WHERE status = 'available' AND category_id <> 'prove' ORDER BY id LIMIT 200`,
      ),
    ]);
    const words = new Set(copies.rows.flatMap(({ title }) => title.toLowerCase().match(/[a-z]{5,}/g) ?? []));
    return {
      categories: categories.rows.map(({ id }) => id),
      copies: copies.rows.map(({ id }) => id),
      words: [...words],
    };
  } finally {
    await client.end();
  }
};

const one = (from: readonly string[], n: number): string => from[n % from.length] ?? '';

/**
 * The n-th request of people who look around: pages and what they load, some of it kept by the shop, some computed each
 * time.
 */
const visitNumbered = ({ categories, copies, words }: Sights, n: number): Ask => {
  const turn = Math.floor(n / 10);
  const kinds: readonly (() => string)[] = [
    () => '/',
    () => `/category/${one(categories, turn)}`,
    () => `/book/${one(copies, turn)}`,
    () => `/api/category/${one(categories, turn)}`,
    () => `/api/categories/${one(copies, turn)}`,
    () => '/api/categoryName',
    () => '/api/categories?limit=12',
    () => `/api/search?q=${encodeURIComponent(one(words, turn))}`,
    // Seldom the same twice, so hardly ever kept.
    () => `/api/search?q=${encodeURIComponent(`${one(words, turn)} ${one(words, turn * 7 + 3)}`)}`,
    () => `/api/categories?limit=${1 + (turn % 40)}`,
  ];
  return { path: kinds[n % kinds.length]?.() ?? '/' };
};

/** Looking around over these clients in turn; anything but 200 is a failure. */
export const lookAround =
  (clients: readonly Client[], sights: Sights) =>
  (n: number): Sending =>
  async () => {
    const ask = visitNumbered(sights, n);
    const answered = await (clients[n % clients.length] as Client).ask(ask);
    return { answered, what: `GET ${ask.path.split('?', 1)[0]}`, isWell: answered.status === 200 };
  };
