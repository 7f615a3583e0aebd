import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/ledger.ts';
import { readSellingTerms, type SellingTerms } from '#contract/selling-terms.ts';
import { serveFile } from '#server/http/serve-file.ts';
import { serve } from '#server/http/serve.ts';
import type { Db } from '#server/platform/db.ts';
import { downloadStatement, readStatement } from './statement.service.ts';

/** GET /selling-terms, /statement and /statement.csv. */
export const statementRoutes = (app: FastifyInstance, { db, terms }: { db: Db; terms: SellingTerms }): void => {
  serve(app, readSellingTerms, 'anyone', () => terms);
  serve(app, contract.readStatement, 'seller', ({ viewer, query }) => readStatement(db, viewer, query));
  serveFile(
    app,
    contract.downloadStatement,
    'seller',
    { type: 'text/csv; charset=utf-8', name: 'dogear-statement.csv' },
    (viewer) => downloadStatement(db, viewer),
  );
};
