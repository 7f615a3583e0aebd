import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/law/declaration.ts';
import { readTexts } from '#contract/law/texts.ts';
import { perAccount, perNetworkAMinute } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { declare, readDeclaration } from './declaring.service.ts';
import type { Texts } from './texts.ts';

/** GET /texts; GET and PUT /declaration. */
export const lawRoutes = (app: FastifyInstance, { db, texts }: { db: Db; texts: Texts }): void => {
  const { version } = texts.terms;
  serve(app, readTexts, { guard: 'anyone', limits: [perNetworkAMinute(600)] }, () => Promise.resolve(texts.shown));
  serve(app, contract.readDeclaration, 'seller', ({ viewer }) => readDeclaration(db, viewer, version));
  serve(app, contract.declare, { guard: 'seller', limits: [perAccount(60)] }, ({ viewer, body }) =>
    declare(db, viewer, { input: body, terms: version }),
  );
};
