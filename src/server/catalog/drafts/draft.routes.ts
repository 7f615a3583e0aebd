import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/catalog/listing-drafts.ts';
import { perAccount } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { deleteOwnDraft, readDraft, saveDraft } from './draft.service.ts';

/** One every few seconds while somebody types, on several devices. */
const SAVES = perAccount(3_000);

/** GET, PUT and DELETE /listing-draft. */
export const draftRoutes = (app: FastifyInstance, { db }: { db: Db }): void => {
  serve(app, contract.readListingDraft, 'seller', ({ viewer }) => readDraft(db, viewer));
  serve(app, contract.saveListingDraft, { guard: 'seller', limits: [SAVES] }, ({ viewer, body }) =>
    saveDraft(db, viewer, body),
  );
  serve(app, contract.deleteListingDraft, 'seller', ({ viewer, query }) => deleteOwnDraft(db, viewer, query));
};
