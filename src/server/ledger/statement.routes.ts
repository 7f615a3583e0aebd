import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/ledger.ts';
import { serveFile } from '#server/http/serve-file.ts';
import { serve } from '#server/http/serve.ts';
import type { Db } from '#server/platform/db.ts';
import { downloadStatement, readStatement } from './statement.service.ts';

/** GET /statement and /statement.csv. */
export const statementRoutes = (app: FastifyInstance, { db }: { db: Db }): void => {
  serve(app, contract.readStatement, 'viewer', ({ viewer, query }) => readStatement(db, viewer, query));
  serveFile(
    app,
    contract.downloadStatement,
    { type: 'text/csv; charset=utf-8', name: 'dogear-statement.csv' },
    (viewer) => downloadStatement(db, viewer),
  );
};
