// How long after a change some process still shows the old state.
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type pg from 'pg';
import type { Shop } from './shop.ts';

const CHANGES = 240;
const WARM_UP = 20;
/** A process that shows the old state for so long shows it for ever. */
const LIMIT_MS = 5_000;
/** Between changes, so that each meets answers that are kept. */
const PAUSE_MS = 10;

export interface News {
  readonly changes: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

interface Listed {
  readonly _id: string;
  readonly resale_price: number;
}

/** Asks one process over one connection. */
const asker = (shop: Shop) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (target: string): Promise<string> => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const asked = request({ port: shop.port, host: '127.0.0.1', path: target, agent, timeout: LIMIT_MS });
    asked.on('response', (answer) => void text(answer).then(resolve, reject));
    asked.on('timeout', () => asked.destroy(new Error('A process did not answer.')));
    asked.on('error', reject);
    asked.end();
    return promise;
  };
  return { ask, end: () => agent.destroy() };
};

const priceIn = (list: string, id: string): number =>
  (JSON.parse(list) as Listed[]).find(({ _id }) => _id === id)?.resale_price ?? Number.NaN;

/**
 * Changes the price of the newest copy of a category again and again, and asks all processes for the list without pause until
 * none shows the old price; the time runs from the commit.
 */
export const measureNews = async (client: pg.ClientBase, shops: readonly Shop[], category: string): Promise<News> => {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM listings WHERE category_id = $1 AND on_shelf
     ORDER BY published_at DESC, id DESC LIMIT 1`,
    [category],
  );
  const id = rows[0]?.id ?? '';
  const target = `/api/category/${category}`;
  const askers = shops.map(asker);
  const untilNew = async ({ ask }: (typeof askers)[number], price: number, since: number): Promise<number> => {
    for (;;) {
      if (priceIn(await ask(target), id) === price) return performance.now() - since;
      if (performance.now() - since > LIMIT_MS) throw new Error('A process still shows the old state after 5 s.');
    }
  };
  const times: number[] = [];
  try {
    for (let n = 0; n < CHANGES + WARM_UP; n += 1) {
      // All have the present state kept.
      for (const { ask } of askers) await ask(target);
      const cents = 1_000 + n;
      await client.query('UPDATE listings SET resale_cents = $2 WHERE id = $1', [id, cents]);
      const committed = performance.now();
      const all = await Promise.all(askers.map((one) => untilNew(one, cents / 100, committed)));
      if (n >= WARM_UP) times.push(Math.max(...all));
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  } finally {
    for (const { end } of askers) end();
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? Number.NaN;
  return { changes: times.length, p50: at(0.5), p99: at(0.99), max: at(1) };
};
