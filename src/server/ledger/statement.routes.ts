import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/money/ledger.ts';
import { readSellingTerms, type SellingTerms } from '#contract/catalog/selling-terms.ts';
import { serve } from '#server/http/serve.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { downloadStatement, readStatement } from './statement.service.ts';

/** GET /selling-terms, /statement and /statement.csv. */
export const statementRoutes = (app: FastifyInstance, { db, terms }: { db: Db; terms: SellingTerms }): void => {
  serve(app, readSellingTerms, 'anyone', () => terms);
  serve(app, contract.readStatement, 'seller', ({ viewer, query }) => readStatement(db, viewer, query));
  serve(app, contract.downloadStatement, 'seller', ({ viewer }) => downloadStatement(db, viewer));
};
