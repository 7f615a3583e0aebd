import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/admin/admin.ts';
import { readPerson as readPersonCall } from '#contract/admin/person.ts';
import { serve } from '#server/http/serve.ts';
import type { Config } from '#server/platform/config.ts';
import { readPerson } from './person/person.service.ts';
import {
  deleteUser,
  listSellers,
  listUsers,
  makeAdmin,
  removeAdmin,
  removeVerification,
  verifySeller,
  type ModerationDeps,
} from './moderation.service.ts';

/**
 * What admins do about users: GET /users, /users/all_sellers and /users/:id/person, PUT and DELETE /users/admin/:id and
 * /users/verified/:id, DELETE /users/:id.
 */
export const moderationRoutes = (app: FastifyInstance, deps: ModerationDeps & { config: Config }): void => {
  const { db, config } = deps;
  serve(app, contract.listUsers, 'admin', ({ viewer, query }) => listUsers(db, viewer, query));
  serve(app, contract.listSellers, 'admin', ({ viewer, query }) => listSellers(db, viewer, query));
  serve(app, readPersonCall, 'admin', ({ viewer, params }) => readPerson(db, viewer, params.id));
  serve(app, contract.makeAdmin, 'admin', async ({ viewer, params }) => ({
    modifiedCount: await makeAdmin(db, config, viewer, params.id),
  }));
  serve(app, contract.verifySeller, 'admin', async ({ viewer, params, body }) => ({
    modifiedCount: await verifySeller(db, viewer, { id: params.id, reason: body?.reason }),
  }));
  serve(app, contract.removeAdmin, 'admin', async ({ viewer, params, body }) => ({
    modifiedCount: await removeAdmin(db, viewer, { id: params.id, reason: body.reason }),
  }));
  serve(app, contract.removeVerification, 'admin', async ({ viewer, params, body }) => ({
    modifiedCount: await removeVerification(db, viewer, { id: params.id, reason: body.reason }),
  }));
  serve(app, contract.deleteUser, 'admin', async ({ viewer, params, reply }) => ({
    deletedCount: await deleteUser(deps, viewer, params.id, (error, subject) =>
      reply.log.warn({ err: error, subject }, "a deleted user's hold or order could not be ended yet"),
    ),
  }));
};
