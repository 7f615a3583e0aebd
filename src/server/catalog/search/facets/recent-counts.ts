import { LRUCache } from 'lru-cache';
import type { CacheCounts } from '#server/catalog/search/search.service.ts';

/** So long nobody misses a copy among the numbers of a filter; a busy shop would count a common word all the time. */
const COUNTS_MAX_AGE_MS = 2_000;
const MOST_COUNTS = 1_000;

/** What is counted for everyone; once however many ask, and not kept where it fails. */
export const recentCounts = (clock: { now: () => number } = performance): CacheCounts => {
  const counts = new LRUCache<string, string, () => Promise<string>>({
    max: MOST_COUNTS,
    ttl: COUNTS_MAX_AGE_MS,
    ttlResolution: 0,
    perf: clock,
    fetchMethod: (_key, _old, { context: count }) => count(),
  });
  return async (key, count) => (await counts.fetch(key, { context: count })) ?? count();
};
