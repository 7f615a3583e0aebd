import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/catalog/editions/edition-calls.ts';
import { readEditionPage as editionPage } from '#contract/catalog/editions/edition-page.ts';
import { perAccount } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import { readEdition, type EditionDeps } from './edition.service.ts';
import { readEditionPage } from './edition-page.service.ts';
import { readEditionPrices } from './prices.service.ts';

/** GET /editions/:isbn and its prices, for sellers; GET /isbn/:isbn, which everybody may read. */
export const editionRoutes = (
  app: FastifyInstance,
  { timeZone, ...deps }: EditionDeps & { timeZone: string },
): void => {
  // Twice what a quick hand lists: whoever asks for more copies the table.
  const limits = [perAccount(600)];
  serve(app, contract.readEdition, { guard: 'seller', limits }, ({ viewer, params }) =>
    readEdition(deps, viewer, params.isbn),
  );
  serve(app, contract.readEditionPrices, { guard: 'seller', limits }, ({ viewer, params, query }) =>
    readEditionPrices(deps.db, viewer, { isbn: params.isbn, condition: query.condition, timeZone }),
  );
  serve(app, editionPage, 'anyone', ({ params, query, read }) =>
    read((db) => readEditionPage(db, { isbn: params.isbn, ...query, timeZone })),
  );
};
