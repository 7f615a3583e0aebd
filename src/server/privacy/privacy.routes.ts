import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/users/account.ts';
import { clearSessionCookie } from '#server/http/auth.ts';
import { serve } from '#server/http/serve.ts';
import { deleteOwnAccount, type PrivacyDeps } from './departure.service.ts';
import { exportAccount, type ExportDeps } from './export.service.ts';

/** What users may ask of everything the shop keeps about them: a copy, or that it forgets them. */
export const privacyRoutes = (app: FastifyInstance, deps: PrivacyDeps & ExportDeps): void => {
  serve(app, calls.exportAccount, 'viewer', ({ viewer }) => exportAccount(deps, viewer));
  serve(app, calls.deleteAccount, 'viewer', async ({ viewer, query, reply }) => {
    await deleteOwnAccount(deps, viewer, query.confirm, (error) =>
      reply.log.warn({ err: error }, 'something of a person who left is still to be forgotten'),
    );
    clearSessionCookie(reply);
    return { deletedCount: 1 };
  });
};
