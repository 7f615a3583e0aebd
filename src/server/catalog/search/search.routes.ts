import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/catalog/search.ts';
import type { PublicCache } from '#server/http/cache/cached-responses.ts';
import { cachedPart } from '#server/http/cache/response-cache.ts';
import { CONTACTS, perNetworkAMinute } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import { searchListings, suggestSearches, type CacheCounts } from './search.service.ts';

const compute: CacheCounts = (_key, work) => work();

const cacheIn =
  ({ cache, tagsOf }: PublicCache): CacheCounts =>
  async (key, work) => {
    const tags = tagsOf('/api/search') ?? [];
    return (await cachedPart(cache, `counts ${key}`, tags, async () => ({ body: await work() }))).body;
  };

/** GET /search and /search/suggestions; what is counted for everyone is cached. */
export const searchRoutes = (app: FastifyInstance, publicCache: PublicCache | undefined): void => {
  const cacheCounts = publicCache ? cacheIn(publicCache) : compute;
  serve(
    app,
    contract.searchListings,
    { guard: 'anyone', limits: [perNetworkAMinute(120), CONTACTS] },
    ({ viewer, query, read }) =>
      // Who is signed in may have changed something a moment ago, and sees it.
      read((db) => searchListings(db, viewer, query, viewer.kind === 'anonymous' ? cacheCounts : compute)),
  );
  serve(app, contract.suggestSearches, { guard: 'anyone', limits: [perNetworkAMinute(300)] }, ({ query, read }) =>
    read((db) => suggestSearches(db, query.q)),
  );
};
