import type { FastifyInstance } from 'fastify';
import { bookingRoutes } from './bookings/booking.routes.ts';
import { lineRoutes } from './bookings/line.routes.ts';
import { summaryRoutes } from './bookings/summary.routes.ts';
import { categoryAdminRoutes } from './catalog/category-admin.routes.ts';
import { categoryRoutes } from './catalog/category.routes.ts';
import { listingRoutes } from './catalog/listing.routes.ts';
import { searchRoutes } from './catalog/search.routes.ts';
import { listSitemapPages, listSitemapParts, listStandingPages } from './catalog/sitemap.service.ts';
import { scopesOf } from './catalog/public-scopes.service.ts';
import { createHttpApp } from './http/api.ts';
import { replyNotFound } from './http/error-reply.ts';
import type { ResponseCache } from './http/response-cache.ts';
import { addSitemap } from './http/sitemap.ts';
import { proxyStandin } from './http/standins-proxy.ts';
import { accountRoutes } from './identity/account.routes.ts';
import { createCredentials } from './identity/credentials.ts';
import { identityRoutes } from './identity/identity.routes.ts';
import { createSocialProviders, type SocialSetup } from './identity/social/providers.ts';
import { socialRoutes } from './identity/social/social.routes.ts';
import { mailLinkRoutes } from './identity/mail-links.routes.ts';
import { privacyRoutes } from './privacy/privacy.routes.ts';
import { statementRoutes } from './ledger/statement.routes.ts';
import { moderationRoutes } from './moderation/moderation.routes.ts';
import { moneyRoutes } from './payments/money.routes.ts';
import { paymentRoutes, type PaymentSetup } from './payments/payment.routes.ts';
import type { PaymentDeps } from './payments/payment.service.ts';
import type { PaymentProvider } from './payments/provider.ts';
import { webhookRoutes } from './payments/webhook.routes.ts';
import type { Config } from './platform/config.ts';
import type { Db } from './platform/db.ts';
import { logOptions } from './platform/log.ts';
import { SIGN_IN_PREFIX } from './social-setup.ts';

export interface AppDeps {
  readonly db: Db;
  readonly config: Config;
  readonly provider: PaymentProvider;
  readonly setup: PaymentSetup;
  /** Where the payment stand-in listens; absent when Stripe itself is configured. */
  readonly standins?: URL | undefined;
  /** Public answers kept for all; absent: each is computed. */
  readonly kept?: ResponseCache | undefined;
  /** Where the mailbox stand-in shows the mail it took; absent when mail really leaves. */
  readonly mailbox?: URL | undefined;
  /** The services people sign in with. */
  readonly social: SocialSetup;
  /** Where the sign-in stand-in listens; absent when it plays no service. */
  readonly signIn?: URL | undefined;
  /** False for tests of the API alone: the pages are not mounted. */
  readonly web: boolean;
}

/** What the payment services work with; what they call a person for is logged as an error. */
export const paymentDepsOf = (
  { db, config, provider }: Pick<AppDeps, 'db' | 'config' | 'provider'>,
  log: Pick<FastifyInstance['log'], 'error'>,
): PaymentDeps => ({
  db,
  provider,
  holdMinutes: config.holdMinutes,
  terms: config.money,
  alert: (what, facts) => log.error(facts, what),
});

/** The whole shop as one Fastify app; the only place where rooms are wired together. */
export const buildApp = async (deps: AppDeps): Promise<FastifyInstance> => {
  const { db, config, setup } = deps;
  const app = await createHttpApp({
    credentials: await createCredentials({ db, config }),
    cookieRules: { https: config.https, origins: config.origins },
    publicUrl: config.publicUrl,
    trustProxy: config.trustProxy,
    logger: logOptions(config.logLevel),
    kept: deps.kept && { cache: deps.kept, scopesOf },
  });
  const payments = paymentDepsOf(deps, app.log);
  identityRoutes(app, { db, config });
  socialRoutes(app, { db, config, providers: createSocialProviders(deps.social) });
  accountRoutes(app, { db, config });
  mailLinkRoutes(app, { db, config, mailbox: deps.mailbox === undefined ? null : '/standins/mailbox' });
  categoryRoutes(app, { db });
  categoryAdminRoutes(app, { db });
  listingRoutes(app, { db, config });
  searchRoutes(app, { db });
  bookingRoutes(app, { db, holdMinutes: config.holdMinutes });
  lineRoutes(app, { db });
  summaryRoutes(app, { db });
  statementRoutes(app, { db });
  paymentRoutes(app, { ...payments, setup });
  moneyRoutes(app, payments);
  moderationRoutes(app, { ...payments, config });
  privacyRoutes(app, { ...payments, config });
  await webhookRoutes(app, payments);
  if (deps.standins !== undefined) {
    await proxyStandin(app, { prefix: '/standins/stripe', target: deps.standins, service: 'payment' });
  }
  if (deps.mailbox !== undefined) {
    await proxyStandin(app, { prefix: '/standins/mailbox', target: deps.mailbox, service: 'mailbox' });
  }
  if (deps.signIn !== undefined) {
    await proxyStandin(app, { prefix: SIGN_IN_PREFIX, target: deps.signIn, service: 'sign-in' });
  }
  addSitemap(app, {
    publicUrl: config.publicUrl,
    source: {
      standing: () => listStandingPages(db),
      parts: () => listSitemapParts(db),
      copies: (from) => listSitemapPages(db, from),
    },
  });
  // Loaded when wanted: the API alone needs no renderer.
  if (deps.web) await (await import('./http/web.ts')).mountWeb(app, { config, cache: deps.kept });
  else app.setNotFoundHandler(replyNotFound);
  return app;
};
