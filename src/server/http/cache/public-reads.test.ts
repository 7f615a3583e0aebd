import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readConfig } from '#server/platform/config.ts';
import { migrate } from '#server/platform/postgres/migrate.ts';
import { openShop, type Shop } from '#server/shop.ts';
import type { Listing } from '#contract/catalog/catalog.ts';
import { ask } from '#test/databases/database-owner.ts';
import { startReplicated, type Replicated } from '#test/databases/replicated.ts';
import { freePort } from '#test/free-port.ts';

let pair: Replicated;
let folder: string;
/** Two processes would not know of each other more than these two do: they share the database alone. */
let shops: { shop: Shop; url: string }[];
let seller: Record<string, string>;

/** One shop in the eyes of users, as behind a balancer: what one process signs the other knows. */
const PUBLIC_URL = 'http://localhost:8000';

const open = async (name: string): Promise<{ shop: Shop; url: string }> => {
  const port = await freePort();
  const config = readConfig({
    PORT: String(port),
    PUBLIC_URL,
    DATA_DIR: path.join(folder, name),
    DATABASE_URL: pair.primary().url,
    DATABASE_REPLICA_URLS: pair.standby().url,
    LOG_LEVEL: 'silent',
  });
  const shop = await openShop(config, () => {});
  await shop.listen();
  return { shop, url: `http://localhost:${port}` };
};

beforeAll(async () => {
  pair = await startReplicated(migrate);
  folder = await mkdtemp(path.join(tmpdir(), 'dogear-reads-'));
  shops = [await open('one'), await open('two')];
  const at = shops[0]?.url ?? '';
  const signedIn = await fetch(`${at}/api/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: PUBLIC_URL },
    body: JSON.stringify({ email: 'seller@example.com', password: 'Seller#2026' }),
  });
  const cookie = signedIn.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  const jwt = await fetch(`${at}/api/jwt?email=seller@example.com`, { headers: { cookie } });
  const { accessToken } = (await jwt.json()) as { accessToken: string };
  seller = { authorization: `Bearer ${accessToken}` };
});
afterAll(async () => {
  for (const { shop } of shops) await shop.close();
  await pair.close();
  await rm(folder, { recursive: true, force: true });
});

/** Whether the standby was asked for listings since a moment of its clock. */
const wasReadSince = async (moment: string): Promise<boolean> => {
  const asked = `SELECT count(*) FROM pg_stat_activity WHERE application_name ~ '^dogear [0-9]'
    AND query LIKE '%listings%' AND query_start > '${moment}'`;
  return Number(await ask(pair.standby().url, asked)) > 0;
};

let fresh = 0;
/** A list that nobody has asked for yet. */
const freshList = (): string => `/api/categories?limit=3&fresh=${(fresh += 1)}`;
const read = async <A>(url: string, headers: Record<string, string> = {}): Promise<A> => {
  const answer = await fetch(url, { headers });
  expect(answer.status).toBe(200);
  return (await answer.json()) as A;
};

// Every process reads the replica before each test.
beforeEach(async () => {
  await pair.resumeReplay();
  for (const { url } of shops) {
    const now = await ask(pair.standby().url, 'SELECT clock_timestamp()::text');
    await expect
      .poll(async () => {
        await read(`${url}${freshList()}`);
        return wasReadSince(now);
      })
      .toBe(true);
  }
});

test('lists are read from the replica, and the shop knows a copy at once that was changed on the primary', async () => {
  const [copy] = await read<Listing[]>(`${shops[0]?.url}/api/categories?limit=1`);
  if (copy === undefined) throw new Error('no copy');
  await pair.pauseReplay();
  await ask(pair.primary().url, `UPDATE listings SET resale_cents = 1234 WHERE id = '${copy._id}' RETURNING 1`);
  for (const { url } of shops) {
    for (const address of [`/api/categories/${copy._id}`, `/api/categories/${copy._id}?again`]) {
      await expect.poll(async () => (await read<Listing>(`${url}${address}`)).resale_price).toBe(12.34);
    }
    await expect
      .poll(async () => (await read<Listing[]>(`${url}${freshList()}`)).find(({ _id }) => _id === copy._id))
      .toMatchObject({ resale_price: 12.34 });
  }
});

/** A copy of the seller's own. */
const ownCopy = async (): Promise<string> => {
  const address = '/api/categories/my_products?email=seller@example.com&limit=1';
  const [copy] = await read<Listing[]>(`${shops[0]?.url}${address}`, seller);
  if (copy === undefined) throw new Error('no copy');
  return copy._id;
};

/** What every process tells the seller of a copy, the one that was not asked to edit first. */
const seenBySeller = async (id: string): Promise<number[]> => {
  const prices: number[] = [];
  for (const { url } of shops.toReversed()) {
    const answer = await fetch(`${url}/api/categories/${id}`, { headers: seller });
    expect(answer.headers.get('cache-control'), 'who asks is known here').toBe('no-store');
    prices.push(((await answer.json()) as Listing).resale_price);
  }
  return prices;
};

test('whoever lists or edits a copy sees it at once, in every process, while the replica is behind', async () => {
  const mine = await ownCopy();
  await pair.pauseReplay();
  for (const price of [21.5, 22.5, 23.5]) {
    const edited = await fetch(`${shops[0]?.url}/api/categories/${mine}`, {
      method: 'PATCH',
      headers: { ...seller, 'content-type': 'application/json' },
      body: JSON.stringify({ resale_price: price }),
    });
    expect(edited.status).toBe(200);
    // The very next question, wherever it is asked.
    expect(await seenBySeller(mine)).toEqual([price, price]);
  }
});

test('whoever is signed in sees what changed even where the message of it is late', async () => {
  const mine = await ownCopy();
  await pair.pauseReplay();
  const withoutMessage = new URL(pair.primary().url);
  withoutMessage.searchParams.set('options', '-c session_replication_role=replica');
  for (const cents of [3150, 3250]) {
    await ask(withoutMessage.href, `UPDATE listings SET resale_cents = ${cents} WHERE id = '${mine}' RETURNING 1`);
    expect(await seenBySeller(mine)).toEqual([cents / 100, cents / 100]);
  }
});
