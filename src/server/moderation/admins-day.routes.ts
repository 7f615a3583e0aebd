import type { FastifyInstance } from 'fastify';
import * as audit from '#contract/admin/audit.ts';
import * as restoring from '#contract/admin/restoring.ts';
import { serve } from '#server/http/serve.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { downloadAuditTrail, readAuditTrail } from './audit-trail.service.ts';
import { listDeletedListings, listDeletedUsers, restoreListing, restoreUser } from './restoring.service.ts';

/** What admins look back on: GET /audit and /audit.csv, GET /deleted/… and POST /deleted/…/:id/restore. */
export const adminsDayRoutes = (app: FastifyInstance, { db }: { db: Db }): void => {
  serve(app, audit.listAudit, 'admin', ({ viewer, query }) => readAuditTrail(db, viewer, query));
  serve(app, audit.downloadAudit, 'admin', ({ viewer, query }) => downloadAuditTrail(db, viewer, query));
  serve(app, restoring.listDeletedUsers, 'admin', ({ viewer, query }) => listDeletedUsers(db, viewer, query));
  serve(app, restoring.listDeletedListings, 'admin', ({ viewer, query }) => listDeletedListings(db, viewer, query));
  serve(app, restoring.restoreUser, 'admin', async ({ viewer, params }) => ({
    restoredCount: await restoreUser(db, viewer, params.id),
  }));
  serve(app, restoring.restoreListing, 'admin', async ({ viewer, params }) => ({
    restoredCount: await restoreListing(db, viewer, params.id),
  }));
};
