import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/search.ts';
import { serve } from '#server/http/serve.ts';
import type { Db } from '#server/platform/db.ts';
import { searchListings, suggestSearches } from './search.service.ts';

/** GET /search and /search/suggestions. */
export const searchRoutes = (app: FastifyInstance, { db }: { db: Db }): void => {
  serve(app, contract.searchListings, 'anyone', ({ viewer, query }) => searchListings(db, viewer, query));
  serve(app, contract.suggestSearches, 'anyone', ({ query }) => suggestSearches(db, query.q));
};
