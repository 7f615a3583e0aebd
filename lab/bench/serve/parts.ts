// The parts of a run: what is asked of whom.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { engageBuyers, bookingLoads } from './buyers.ts';
import { withClient, type BenchDatabase } from './database.ts';
import {
  measureAlone,
  measurePair,
  SLICES,
  type Bench,
  type Figures,
  type Load,
  type Pair,
  type Plan,
} from './figures/measure.ts';
import type { References, Side } from './references.ts';
import type { Sample } from './figures/sample.ts';
import { requireSame } from './figures/same.ts';
import { openShop, type Shop } from './shop.ts';
import { FACET_CHOICES } from './facet-choices.ts';
import { books, BROWSER, keptList, keptPage, lists, pagesOfAll, rendered, searches } from './targets.ts';
import { requestText, writeRequests } from './traffic.ts';

/** A comparison, and which part of what was asked of the shop it had kept. */
export interface Compared extends Pair {
  readonly keptShare: number;
}

export interface Alone extends Figures {
  readonly keptShare: number;
}

export interface Stage {
  readonly bench: Bench;
  readonly shop: Shop;
  readonly references: References;
  readonly sample: Sample;
  readonly client: pg.ClientBase;
  readonly database: BenchDatabase;
  readonly folder: string;
  readonly seconds: number;
  readonly connections: number;
  /** The shop with 100,000 listings, where another size is measured. */
  readonly base: { readonly shop: Shop; readonly sample: Sample } | undefined;
}

/** What the bars ask of ten connections. */
const FEW_CONNECTIONS = 10;
/** So that almost twenty copies a second change. */
const CHANGE_EVERY_MS = 50;

const countKept = async (shop: Shop): Promise<{ kept: number; all: number }> => ({
  kept: await shop.counter('dogear_cache_requests_total', 'found="kept"'),
  all: await shop.counter('dogear_cache_requests_total', ''),
});

const watched = async <A>(shop: Shop, work: () => Promise<A>): Promise<A & { keptShare: number }> => {
  const before = await countKept(shop);
  const result = await work();
  const after = await countKept(shop);
  return { ...result, keptShare: (after.kept - before.kept) / Math.max(1, after.all - before.all) };
};

const steady =
  (file: string): (() => Load) =>
  () => ({ file, once: false, expected: 200 });

const planOf = (stage: Stage, load: Plan['load'], connections = stage.connections): Plan => ({
  seconds: stage.seconds,
  connections,
  load,
});

/** The shop and a reference, asked for the same addresses. */
const compare = async (stage: Stage, name: string, reference: Side, targets: readonly string[]): Promise<Compared> => {
  const [target = '/'] = /(?<=^GET )\S+/.exec(targets[0] ?? '') ?? [];
  await requireSame(stage.shop, reference, target);
  const file = await writeRequests(stage.folder, name, targets);
  const plan = { shop: planOf(stage, steady(file)), reference: planOf(stage, steady(file)) };
  return watched(stage.shop, () => measurePair(stage.bench, { shop: stage.shop, reference }, plan));
};

const aloneWithFew = async (
  stage: Stage,
  name: string,
  targets: readonly string[],
  side: Side = stage.shop,
): Promise<Alone> => {
  const file = await writeRequests(stage.folder, name, targets);
  const plan = planOf(stage, steady(file), FEW_CONNECTIONS);
  return watched(stage.shop, () => measureAlone(stage.bench, side, plan));
};

/** As an operator with two cores runs it. */
const renderedByTwo = async (stage: Stage): Promise<Alone> => {
  const shop = await openShop(stage.database, stage.folder, { WORKERS: '2' });
  try {
    return await aloneWithFew({ ...stage, shop }, 'rendered-workers', rendered(stage.sample));
  } finally {
    await shop.stop();
  }
};

/** In a busy shop a copy changes all the time: what a change makes untrue is kept for nobody meanwhile. */
const whileCopiesChange = <A>({ database, sample }: Stage, work: () => Promise<A>): Promise<A> =>
  withClient(database.url, async (client) => {
    let isOver = false;
    const change = async (): Promise<void> => {
      for (let n = 0; !isOver; n += 1) {
        const { id } = sample.copies[n % sample.copies.length] ?? {};
        await client.query('UPDATE listings SET updated_at = now() WHERE id = $1', [id]);
        await sleep(CHANGE_EVERY_MS);
      }
    };
    const changing = change();
    // A failure is told when the work is done.
    changing.catch(() => {});
    try {
      return await work();
    } finally {
      isOver = true;
      await changing;
    }
  });

/** Two plans for one or two shops; the first is what is judged. */
const compareShops = async (
  stage: Stage,
  name: string,
  judged: { shop: Shop; targets: readonly string[] },
  against: { shop: Shop; targets: readonly string[] },
): Promise<Compared> => {
  const files = [
    await writeRequests(stage.folder, `${name}-a`, judged.targets),
    await writeRequests(stage.folder, `${name}-b`, against.targets),
  ] as const;
  const plans = { shop: planOf(stage, steady(files[0])), reference: planOf(stage, steady(files[1])) };
  return watched(judged.shop, () => measurePair(stage.bench, { shop: judged.shop, reference: against.shop }, plans));
};

const needFar = ({ farPage }: Sample): ((n: number) => string) => {
  if (farPage === undefined) throw new Error('There are fewer than 1,000 pages.');
  return farPage;
};

const grown = async (stage: Stage, name: string, targetsOf: (sample: Sample) => string[]): Promise<Compared> => {
  const { base, shop, sample } = stage;
  if (base === undefined) throw new Error('There is no other size to compare with.');
  return compareShops(
    stage,
    name,
    { shop, targets: targetsOf(sample) },
    { shop: base.shop, targets: targetsOf(base.sample) },
  );
};

const book = async (stage: Stage) => {
  const { client, shop, bench, references, folder, sample } = stage;
  const buyers = await engageBuyers(client, shop, stage.seconds / SLICES);
  const part = Math.floor(sample.copies.length / 4);
  const loads = (from: number, name: string): Plan['load'] =>
    bookingLoads(client, { folder: `${folder}/${name}`, buyers, copies: sample.copies.slice(from, from + part) });
  const both = await watched(shop, () =>
    measurePair(
      bench,
      { shop, reference: references.statement },
      { shop: planOf(stage, loads(0, 'ours')), reference: planOf(stage, loads(part, 'theirs')) },
    ),
  );
  const withFew = (side: Side, load: Plan['load']): Promise<Alone> =>
    watched(shop, () => measureAlone(bench, side, planOf(stage, load, FEW_CONNECTIONS)));
  return {
    booking: both,
    'booking-few': await withFew(shop, loads(part * 2, 'few')),
    'booking-few-reference': await withFew(references.statement, loads(part * 3, 'theirs-few')),
  };
};

export type Result = Compared | Alone;

/** The parts of the run by the names of `--only`, each with the results it adds. */
export const PARTS: Readonly<Record<string, (stage: Stage) => Promise<Record<string, Result>>>> = {
  list: async (stage) => {
    const target = [requestText(keptList(stage.sample))];
    const file = await writeRequests(stage.folder, 'socket', target);
    const socket = await measureAlone(stage.bench, stage.references.socket, planOf(stage, steady(file)));
    return {
      socket: { ...socket, keptShare: Number.NaN },
      'list-kept': await compare(stage, 'list-kept', stage.references.bytes, target),
      list: await compare(stage, 'list', stage.references.statement, lists(stage.sample)),
    };
  },
  page: async (stage) => ({
    'page-kept': await compare(stage, 'page-kept', stage.references.bytes, [
      requestText(keptPage(stage.sample), BROWSER),
    ]),
  }),
  book: async (stage) => ({ book: await compare(stage, 'book', stage.references.statement, books(stage.sample)) }),
  deep: async (stage) => ({
    deep: await compareShops(
      stage,
      'deep',
      { shop: stage.shop, targets: pagesOfAll(needFar(stage.sample)) },
      { shop: stage.shop, targets: pagesOfAll(stage.sample.firstPage) },
    ),
  }),
  search: async (stage) => ({
    search: await compare(stage, 'search', stage.references.statement, searches(stage.sample.words)),
    'search-few': await aloneWithFew(stage, 'search-few', searches(stage.sample.words)),
    'search-few-reference': await aloneWithFew(
      stage,
      'search-few-reference',
      searches(stage.sample.words),
      stage.references.statement,
    ),
  }),
  facets: async (stage) => {
    const counted: Record<string, Alone> = {};
    const all: typeof FACET_CHOICES = { 'facets-few': { what: 'nothing', query: () => '' }, ...FACET_CHOICES };
    for (const [key, { query }] of Object.entries(all)) {
      counted[key] = await whileCopiesChange(stage, () =>
        aloneWithFew(stage, key, searches([stage.sample.common], `&facets=1${query(stage.sample)}`)),
      );
    }
    return counted;
  },
  rendered: async (stage) => ({
    rendered: await compare(stage, 'rendered', stage.references.renderer, rendered(stage.sample)),
    'rendered-workers': await renderedByTwo(stage),
  }),
  growth: async (stage) => {
    return {
      'growth-list': await grown(stage, 'growth-list', lists),
      'growth-book': await grown(stage, 'growth-book', books),
      'growth-deep': await grown(stage, 'growth-deep', (sample) => pagesOfAll(needFar(sample))),
    };
  },
  booking: book,
};
