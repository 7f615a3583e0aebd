import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/notices/notices.ts';
import { perNetwork } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import {
  chooseMail,
  chooseMailByLink,
  countUnreadNotices,
  listNotices,
  readMailChoices,
  readMailChoicesByLink,
  readNotices,
  unsubscribe,
} from './notices.service.ts';

/** The bell, and what of it is mailed: /notices, /mail-choices and, for mail programs, /unsubscribe/:token/:topic. */
export const noticeRoutes = async (app: FastifyInstance, { db }: { db: Db }): Promise<void> => {
  serve(app, contract.listNotices, 'viewer', ({ viewer, query }) => listNotices(db, viewer, query));
  serve(app, contract.countUnreadNotices, 'viewer', ({ viewer }) => countUnreadNotices(db, viewer));
  serve(app, contract.readNotices, 'viewer', ({ viewer, body }) => readNotices(db, viewer, body.upTo));
  serve(app, contract.readMailChoices, 'viewer', ({ viewer }) => readMailChoices(db, viewer));
  serve(app, contract.chooseMail, 'viewer', ({ viewer, body }) => chooseMail(db, viewer, body));
  // Nobody guesses a token of 244 random bits; the limit spares the database.
  const byLink = { guard: 'anyone' as const, limits: [perNetwork(60)] };
  serve(app, contract.readMailChoicesByLink, byLink, ({ body }) => readMailChoicesByLink(db, body.token));
  serve(app, contract.chooseMailByLink, byLink, ({ body }) => chooseMailByLink(db, body.token, body));
  await app.register((scope, _options, done) => {
    // A mail program sends a form that says nothing but that it is one click.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, parsed) => parsed(null));
    serve(scope, contract.unsubscribeOneClick, byLink, ({ params }) => unsubscribe(db, params));
    done();
  });
};
