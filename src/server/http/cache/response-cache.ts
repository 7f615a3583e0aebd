import { LRUCache } from 'lru-cache';
import type { Registry } from 'prom-client';
import { measure } from '#server/platform/metrics.ts';

/** While nobody says what changes, or where replicas are read, a value is used this long. */
const UNCONFIRMED_MS = 1_000;
/** What a value costs beside its body: headers, address, tags. */
const OVERHEAD_BYTES = 2_000;
/**
 * Its compressed forms, made when somebody takes them, are counted beforehand: both together take less than this share
 * of it.
 */
const COMPRESSED_SHARE = 0.5;
/** A single value beyond this share of the cache would push out too many others. */
const LARGEST_SHARE = 1 / 16;
/** Invalidated tags that are remembered; beyond them everything is invalidated at once. */
const MOST_TAGS = 10_000;

interface HasBody {
  readonly body: Buffer | string;
}

/** How old a value is: what was computed knows of every change up to `version`. */
interface Age {
  readonly tags: readonly string[];
  readonly version: number;
  readonly startedAt: number;
}

interface Computation extends Age {
  readonly value: Promise<HasBody | undefined>;
}

/**
 * Values by key, bounded in bytes, the least recently used go first. Each is computed once however many ask for it; one
 * whose computation began before one of its tags was invalidated is never used. While `isCurrent` denies that
 * everything that changed until a moment ago is known, or a replica may have answered, a value lives for a second. One
 * key always holds one kind of value.
 */
export const createResponseCache = (options: {
  readonly maxBytes: number;
  readonly isCurrent: () => boolean;
  readonly readsReplicas?: boolean;
  readonly now?: () => number;
}) => {
  const { maxBytes, isCurrent, readsReplicas = false, now = () => performance.now() } = options;
  const entries = new LRUCache<string, { value: HasBody; age: Age }>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes * LARGEST_SHARE),
    sizeCalculation: ({ value }) => OVERHEAD_BYTES + Math.ceil(value.body.length * (1 + COMPRESSED_SHARE)),
  });
  const computing = new Map<string, Computation>();
  const invalidatedAt = new Map<string, number>();
  let version = 0;
  let allInvalidatedAt = 0;

  const isFresh = (age: Age): boolean =>
    age.version >= allInvalidatedAt &&
    age.tags.every((tag) => (invalidatedAt.get(tag) ?? 0) <= age.version) &&
    ((isCurrent() && !readsReplicas) || now() - age.startedAt < UNCONFIRMED_MS);

  return {
    isCurrent,
    get: <A extends HasBody>(key: string): A | undefined => {
      const entry = entries.get(key);
      return entry !== undefined && isFresh(entry.age) ? (entry.value as A) : undefined;
    },
    /** What somebody else is computing for `key`; undefined comes of it where it failed or is for nobody else. */
    join: <A extends HasBody>(key: string): Promise<A | undefined> | undefined => {
      const running = computing.get(key);
      if (running === undefined || !isFresh(running)) return undefined;
      return running.value.catch(() => undefined) as Promise<A | undefined>;
    },
    /** Computes a value for all who join meanwhile, and caches it if it is none of them alone (undefined). */
    compute: async (key: string, tags: readonly string[], work: () => Promise<HasBody | undefined>): Promise<void> => {
      const age = { tags, version, startedAt: now() };
      const own = { ...age, value: work() };
      computing.set(key, own);
      try {
        const value = await own.value;
        if (value !== undefined && isFresh(age)) entries.set(key, { value, age });
      } finally {
        if (computing.get(key) === own) computing.delete(key);
      }
    },
    /** Values with one of these tags are used no more; without tags none is. */
    invalidate: (tags?: ReadonlySet<string>): void => {
      version += 1;
      for (const tag of tags ?? []) invalidatedAt.set(tag, version);
      if (tags !== undefined && invalidatedAt.size <= MOST_TAGS) return;
      allInvalidatedAt = version;
      invalidatedAt.clear();
      entries.clear();
    },
    /** Public requests by what the cache had for them; the names are those of the metric. */
    counts: { kept: 0, coming: 0, missing: 0 },
    bytes: (): number => entries.calculatedSize,
    entries: (): number => entries.size,
  };
};

export type ResponseCache = ReturnType<typeof createResponseCache>;

/** Measures what the cache holds and what is found in it; parts of responses are no requests. */
export const measureCache = (cache: ResponseCache, registry: Registry): void => {
  const help = 'Public requests by what the cache had: kept, coming, missing.';
  measure(registry, 'dogear_cache_requests_total', help, ['found'], () =>
    Object.entries(cache.counts).map(([found, count]) => [{ found }, count]),
  );
  measure(registry, 'dogear_cache_bytes', 'Bytes of cached answers.', [], () => [[{}, cache.bytes()]]);
  measure(registry, 'dogear_cache_entries', 'Cached answers.', [], () => [[{}, cache.entries()]]);
};

/**
 * A part of other responses, from the cache or computed; what `isForAll` denies is shared with nobody. While it is not
 * known what changes each is computed anew: a part a second old in a response that is cached for a second would be two.
 */
export const cachedPart = async <A extends HasBody>(
  cache: ResponseCache,
  key: string,
  tags: readonly string[],
  work: () => Promise<A>,
  isForAll: (value: A) => boolean = () => true,
): Promise<A> => {
  if (!cache.isCurrent()) return work();
  const coming = cache.join<A>(key);
  const found = cache.get<A>(key) ?? (coming && (await coming));
  if (found !== undefined) return found;
  const own = work();
  await cache.compute(key, tags, () => own.then((value) => (isForAll(value) ? value : undefined)));
  return own;
};
