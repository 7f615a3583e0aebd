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
  readonly status: string;
}

/**
 * What happens to a copy, in turn, and what a list shows of it then. Each has a new price as well, so that no two
 * states are the same.
 */
const CHANGES_OF_A_COPY = [
  { set: '', shows: 'Available' },
  { set: `, status = 'held'`, shows: 'Reserved' },
  { set: `, status = 'available'`, shows: 'Available' },
  { set: `, status = 'sold', on_shelf = false`, shows: undefined },
  { set: `, status = 'available', on_shelf = true`, shows: 'Available' },
  { set: `, status = 'withdrawn', on_shelf = false, withdrawn_at = now()`, shows: undefined },
  { set: `, status = 'available', on_shelf = true, withdrawn_at = NULL`, shows: 'Available' },
] as const;

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

const stateIn = (list: string, id: string): string | undefined => {
  const found = (JSON.parse(list) as Listed[]).find(({ _id }) => _id === id);
  return found && `${found.status} at ${found.resale_price}`;
};

/**
 * Changes the newest copy of a category again and again (edited, booked, let go, sold, deleted, brought back), and asks
 * all processes for the list without pause until none shows the state before; the time runs from the commit.
 */
export const measureNews = async (client: pg.ClientBase, shops: readonly Shop[], category: string): Promise<News> => {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM listings WHERE category_id = $1 AND on_shelf AND status = 'available'
     ORDER BY published_at DESC, id DESC LIMIT 1`,
    [category],
  );
  const id = rows[0]?.id ?? '';
  const target = `/api/category/${category}`;
  const askers = shops.map(asker);
  const untilNew = async (
    { ask }: (typeof askers)[number],
    state: string | undefined,
    since: number,
  ): Promise<number> => {
    for (;;) {
      if (stateIn(await ask(target), id) === state) return performance.now() - since;
      if (performance.now() - since > LIMIT_MS) throw new Error('A process still shows the old state after 5 s.');
    }
  };
  const times: number[] = [];
  try {
    for (let n = 0; n < CHANGES + WARM_UP; n += 1) {
      // All have the present state kept.
      for (const { ask } of askers) await ask(target);
      const cents = 1_000 + n;
      const { set, shows } = CHANGES_OF_A_COPY[n % CHANGES_OF_A_COPY.length] ?? CHANGES_OF_A_COPY[0];
      await client.query(`UPDATE listings SET resale_cents = $2${set} WHERE id = $1`, [id, cents]);
      const committed = performance.now();
      const state = shows && `${shows} at ${cents / 100}`;
      const all = await Promise.all(askers.map((one) => untilNew(one, state, committed)));
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
