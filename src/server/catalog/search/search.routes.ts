import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/catalog/search.ts';
import { perNetworkAMinute } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import { recentCounts } from './facets/recent-counts.ts';
import { searchListings, suggestSearches, type CacheCounts } from './search.service.ts';

const compute: CacheCounts = (_key, work) => work();

/** GET /search and /search/suggestions; where the shop `caches`, what is counted for everyone is kept for a moment. */
export const searchRoutes = (app: FastifyInstance, caches: boolean): void => {
  const cacheCounts = caches ? recentCounts() : compute;
  serve(
    app,
    contract.searchListings,
    { guard: 'anyone', limits: [perNetworkAMinute(120)] },
    ({ viewer, query, read }) =>
      // Who is signed in may have changed something a moment ago, and sees it.
      read((db) => searchListings(db, viewer, query, viewer.kind === 'anonymous' ? cacheCounts : compute)),
  );
  serve(app, contract.suggestSearches, { guard: 'anyone', limits: [perNetworkAMinute(300)] }, ({ query, read }) =>
    read((db) => suggestSearches(db, query.q)),
  );
};
