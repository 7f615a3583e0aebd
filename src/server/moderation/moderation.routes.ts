import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/admin.ts';
import { serve } from '#server/http/serve.ts';
import type { Config } from '#server/platform/config.ts';
import {
  deleteUser,
  listSellers,
  listUsers,
  makeAdmin,
  verifySeller,
  type ModerationDeps,
} from './moderation.service.ts';

/** What admins do about people: GET /users and /users/all_sellers, PUT /users/admin/:id and /users/verified/:id, DELETE /users/:id. */
export const moderationRoutes = (app: FastifyInstance, deps: ModerationDeps & { config: Config }): void => {
  const { db, config } = deps;
  serve(app, contract.listUsers, 'viewer', ({ viewer, query }) => listUsers(db, viewer, query));
  serve(app, contract.listSellers, 'viewer', ({ viewer, query }) => listSellers(db, viewer, query));
  serve(app, contract.makeAdmin, 'viewer', async ({ viewer, params }) => ({
    modifiedCount: await makeAdmin(db, config, viewer, params.id),
  }));
  serve(app, contract.verifySeller, 'viewer', async ({ viewer, params }) => ({
    modifiedCount: await verifySeller(db, viewer, params.id),
  }));
  serve(app, contract.deleteUser, 'viewer', async ({ viewer, params, reply }) => ({
    deletedCount: await deleteUser(deps, viewer, params.id, (error, bookingId) =>
      reply.log.warn({ err: error, bookingId }, "a deleted user's hold could not be released yet"),
    ),
  }));
};
