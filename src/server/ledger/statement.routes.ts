import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/money/ledger.ts';
import { readSellingTerms, type SellingTerms } from '#contract/catalog/selling-terms.ts';
import { serve } from '#server/http/serve.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { downloadStatement, readStatement, readStatementSummary } from './statement.service.ts';

/** GET /selling-terms, /statement, /statement/summary and /statement.csv; years are those of the shop's zone. */
export const statementRoutes = (
  app: FastifyInstance,
  { db, terms, timeZone }: { db: Db; terms: SellingTerms; timeZone: string },
): void => {
  serve(app, readSellingTerms, 'anyone', () => terms);
  serve(app, contract.readStatement, 'seller', ({ viewer, query }) => readStatement(db, viewer, query));
  serve(app, contract.downloadStatement, 'seller', ({ viewer, query: { year } }) =>
    downloadStatement(db, viewer, year === undefined ? undefined : { year: Number(year), timeZone }),
  );
  serve(app, contract.readStatementSummary, 'seller', ({ viewer }) => readStatementSummary(db, viewer, timeZone));
};
