// Somebody who browses a shop over HTTP while it writes a stock file, and while it does not.
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchDatabase } from '#lab/bench/serve/database.ts';
import { withClient } from '#lab/bench/serve/database.ts';
import { openShop, type Shop } from '#lab/bench/serve/shop.ts';
import { BROWSER } from '#lab/bench/serve/targets.ts';
import { cursorOf } from '#server/platform/cursor.ts';
import { percentilesOf, type Percentiles } from '#lab/bench/percentiles.ts';
import { announce, fileOf, SECOND_SELLER, setState } from '#lab/bench/stock/made-up-stock.ts';

/** A page is asked for this long after the one before was. */
const PACE_MS = 25;
/** How long somebody browses with nothing else going on, before the writing and after it. */
const QUIET_MS = 20_000;
const WARM_UP_PAGES = 400;
const LOOK_AGAIN_MS = 100;
/** Most pages of a run. */
const PAGES = 50_000;
const SEARCHED = ['river', 'winter garden', 'letter king', 'island bird', 'silent light'];

interface Place {
  readonly id: string;
  readonly at: string;
}

export interface Browsed {
  readonly alone: Percentiles;
  readonly beside: Percentiles;
  /** How long the shop took to write the file beside it. */
  readonly seconds: number;
}

/** Addresses of pages, each once: a book, the category from some copy on, a search, in turn. */
const addresses = function* (places: readonly Place[]): Generator<string> {
  for (const [n, place] of places.entries()) {
    if (n % 3 === 0) yield `/book/${place.id}`;
    else if (n % 3 === 1) yield `/category/books?cursor=${cursorOf(place)}`;
    else yield `/search?q=${encodeURIComponent(`${SEARCHED[n % SEARCHED.length]} ${n}`)}`;
  }
};

let asked = 0;

/** Asks for the next page, from a network of its own, as the trusted proxy tells: nobody's limit is reached. */
const ask = async (shop: string, pages: Iterator<string>): Promise<void> => {
  const { value } = pages.next();
  asked += 1;
  const url = `${shop}${value}`;
  const from = `10.${(asked >> 16) & 255}.${(asked >> 8) & 255}.${asked & 255}`;
  const answer = await fetch(url, { headers: { ...BROWSER, 'x-forwarded-for': from } });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}.`);
};

/** Asks for a page every so often; answers how to end it, which tells the times. */
const browse = (shop: Shop, pages: Iterator<string>): (() => Promise<number[]>) => {
  const times: number[] = [];
  let isOver = false;
  const going = (async () => {
    while (!isOver) {
      const startedAt = performance.now();
      await ask(shop.url, pages);
      const ms = performance.now() - startedAt;
      times.push(ms);
      await sleep(Math.max(0, PACE_MS - ms));
    }
  })();
  // Told when it is ended.
  going.catch(() => {});
  return async () => {
    isOver = true;
    await going;
    return times;
  };
};

const untilState = async (database: BenchDatabase, id: string, state: string): Promise<void> =>
  withClient(database.url, async (client) => {
    for (;;) {
      const { rows } = await client.query<{ state: string }>('SELECT state FROM stock_files WHERE id = $1', [id]);
      if (rows[0]?.state === state) return;
      if (rows[0]?.state === 'failed') throw new Error('The file was not written.');
      await sleep(LOOK_AGAIN_MS);
    }
  });

/**
 * Browses a shop as an operator runs it, in which a seller has copies already, alone and while its own job writes the
 * file of another seller with as many rows.
 */
export const browseBesideWriting = async (database: BenchDatabase, folder: string, rows: number): Promise<Browsed> => {
  const places = await withClient(database.url, async (client) => {
    await client.query('VACUUM (ANALYZE)');
    const { rows: found } = await client.query<Place>(
      `SELECT id, to_char(published_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at
        FROM listings ORDER BY id LIMIT ${PAGES}`,
    );
    return found;
  });
  const shop = await openShop(database, folder);
  try {
    const pages = addresses(places);
    for (let n = 0; n < WARM_UP_PAGES; n += 1) await ask(shop.url, pages);
    const id = await announce(database, fileOf(rows), SECOND_SELLER);
    await untilState(database, id, 'ready');
    const quiet = async (): Promise<number[]> => {
      const end = browse(shop, pages);
      await sleep(QUIET_MS);
      return end();
    };
    const before = await quiet();
    await setState(database, id, 'ready', 'committing');
    const startedAt = performance.now();
    const end = browse(shop, pages);
    await untilState(database, id, 'done');
    const beside = await end();
    const seconds = (performance.now() - startedAt) / 1_000;
    const after = await quiet();
    return { alone: percentilesOf([...before, ...after]), beside: percentilesOf(beside), seconds };
  } finally {
    await shop.stop();
  }
};
