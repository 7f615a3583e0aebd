import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/catalog/search.ts';
import { makeAnew, type KeepPart } from '#server/http/cache/kept-parts.ts';
import { serve } from '#server/http/serve.ts';
import { searchListings, suggestSearches } from './search.service.ts';

/** GET /search and /search/suggestions; `keepCounts` keeps what is counted for everyone. */
export const searchRoutes = (app: FastifyInstance, keepCounts: KeepPart = makeAnew): void => {
  serve(app, contract.searchListings, 'anyone', ({ viewer, query, read }) =>
    // Who is signed in may have changed something a moment ago, and sees it.
    read((db) => searchListings(db, viewer, query, viewer.kind === 'anonymous' ? keepCounts : makeAnew)),
  );
  serve(app, contract.suggestSearches, 'anyone', ({ query, read }) => read((db) => suggestSearches(db, query.q)));
};
