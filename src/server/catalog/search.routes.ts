import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/search.ts';
import { serve } from '#server/http/serve.ts';
import { searchListings, suggestSearches } from './search.service.ts';

/** GET /search and /search/suggestions. */
export const searchRoutes = (app: FastifyInstance): void => {
  serve(app, contract.searchListings, 'anyone', ({ viewer, query, read }) =>
    read((db) => searchListings(db, viewer, query)),
  );
  serve(app, contract.suggestSearches, 'anyone', ({ query, read }) => read((db) => suggestSearches(db, query.q)));
};
