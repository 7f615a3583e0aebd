import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { DEMO_ACCOUNTS } from '#db/seed/demo-accounts.ts';
import { bookingRoutes } from './bookings/booking.routes.ts';
import { holdEndOf } from './bookings/holds/hold.service.ts';
import { pausingRoutes } from './bookings/pausing/pausing.routes.ts';
import { waitlistRoutes } from './bookings/waitlist/waitlist.routes.ts';
import { closeLinesOf } from './bookings/waitlist/waitlist.service.ts';
import { standingRoutes } from './bookings/buyers/standing.routes.ts';
import { summaryRoutes } from './bookings/buyers/summary.routes.ts';
import { categoryAdminRoutes } from './catalog/categories/category-admin.routes.ts';
import { categoryRoutes } from './catalog/categories/category.routes.ts';
import { deliveryRoutes } from './catalog/delivery/delivery.routes.ts';
import { draftRoutes } from './catalog/drafts/draft.routes.ts';
import { feedRoutes } from './catalog/feeds/feeds.routes.ts';
import { stockCopiesRoutes } from './catalog/stock/copies/stock-copies.routes.ts';
import { stockRoutes } from './catalog/stock/files/stock.routes.ts';
import { authorRoutes } from './catalog/authors/author.routes.ts';
import { editionRoutes } from './catalog/editions/edition.routes.ts';
import { learnEdition, openLibraryOf } from './catalog/editions/edition.service.ts';
import { listingRoutes } from './catalog/listings/listing.routes.ts';
import { takePortrait } from './catalog/photos/fetching/portraits.service.ts';
import type { PictureFetching } from './catalog/photos/listing-photos.service.ts';
import { createPhotoMaker } from './catalog/photos/making/maker.ts';
import { photoRoutes, publicPhotoRoutes } from './catalog/photos/photo.routes.ts';
import type { PhotoStore } from './catalog/photos/store/photo-store.ts';
import { searchRoutes } from './catalog/search/search.routes.ts';
import { sitemapRoutes } from './catalog/sitemap.routes.ts';
import { tagsOf } from './catalog/cache-tags.service.ts';
import { demoRoutes } from './demo/demo.routes.ts';
import { proxyStandin } from './demo/standins-proxy.ts';
import type { Capacity } from './http/load-shedding.ts';
import { createHttpApp } from './http/api.ts';
import { replyNotFound } from './http/error-reply.ts';
import type { RateLimitOptions } from './http/rate-limits.ts';
import type { ResponseCache } from './http/cache/response-cache.ts';
import { addSecurityTxt } from './http/pages/security-txt.ts';
import { accountRoutes } from './identity/users/account.routes.ts';
import { takeAttempts } from './identity/passwords/attempts.queries.ts';
import { apiKeyRoutes } from './identity/keys/api-keys.routes.ts';
import { viewerOfKey } from './identity/keys/api-keys.service.ts';
import { viewerOfAccessToken } from './identity/sessions/access-token.ts';
import { networkOf } from './identity/sessions/client-network.ts';
import { identityRoutes } from './identity/sessions/identity.routes.ts';
import { viewerOfSessionToken } from './identity/sessions/sessions.service.ts';
import { createSocialProviders, type SocialSetup } from './identity/social/providers.ts';
import { socialRoutes } from './identity/social/social.routes.ts';
import { mailLinkRoutes } from './identity/mail-links/mail-links.routes.ts';
import { noLive, type Live } from './messages/live.ts';
import { messageRoutes } from './messages/message.routes.ts';
import { noticeRoutes } from './notices/notices.routes.ts';
import { privacyRoutes } from './privacy/privacy.routes.ts';
import { chartRoutes } from './ledger/charts/charts.routes.ts';
import { statementRoutes } from './ledger/statement.routes.ts';
import { adminsDayRoutes } from './moderation/admins-day.routes.ts';
import { holdingOf } from './moderation/reports/holding.service.ts';
import { noteTakenDown } from './moderation/reports/reports.service.ts';
import { reportRoutes } from './moderation/reports/reports.routes.ts';
import { putInForce } from './law/declaring.service.ts';
import { lawRoutes } from './law/law.routes.ts';
import { openTexts } from './law/texts.ts';
import { identityCheckRoutes } from './moderation/identity/identity-checks.routes.ts';
import { suspendingRoutes } from './moderation/suspending/suspending.routes.ts';
import { moderationRoutes } from './moderation/moderation.routes.ts';
import { moneyRoutes } from './payments/reconciliation/money.routes.ts';
import { paymentRoutes, type PaymentSetup } from './payments/intents/payment.routes.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';
import type { PaymentProvider } from './payments/stripe-provider.ts';
import { orderClockOf } from './orders/due.ts';
import { orderHooks } from './orders/order-hooks.service.ts';
import type { OrderRules } from './orders/order-moves.service.ts';
import { orderRoutes } from './orders/order.routes.ts';
import { reviewRoutes } from './orders/reviews/reviews.routes.ts';
import { placeAndPhoneOf } from './sellers/seller-page.service.ts';
import { sellerRoutes } from './sellers/sellers.routes.ts';
import type { OutsideRules } from './platform/outside/request-outside.ts';
import { watchingRoutes } from './wants/watching/watching.routes.ts';
import { wantRoutes } from './wants/wants.routes.ts';
import { programRoutes } from './programs/programs.routes.ts';
import { byHandRoutes } from './payments/payouts/by-hand/by-hand.routes.ts';
import { payoutRoutes } from './payments/payouts/payout.routes.ts';
import { webhookRoutes } from './payments/settlement/webhook.routes.ts';
import type { Config } from './platform/config.ts';
import type { Db } from './platform/postgres/db.ts';
import { logOptions } from './platform/log.ts';
import type { Replicas } from './platform/postgres/replicas.ts';
import { SIGN_IN_PREFIX } from './services.ts';
import { clockTeller, type StandinUrls } from './standins.ts';

export interface AppDeps {
  readonly db: Db;
  readonly config: Config;
  readonly provider: PaymentProvider;
  readonly setup: PaymentSetup;
  readonly standins: StandinUrls;
  /** What this process can bear; absent: no load is shed. */
  readonly capacity?: Capacity | undefined;
  /** Public answers cached for all; absent: each is computed. */
  readonly cache?: ResponseCache | undefined;
  /** Who listens to messages in this process; absent: nothing is heard of them. */
  readonly live?: Live | undefined;
  /** Where requests are counted; absent: nowhere. */
  readonly metrics?: Registry | undefined;
  /** Replicas that public reads go to; absent: all is read from `db`. */
  readonly replicas?: Replicas | undefined;
  /** Where photos lie. */
  readonly photos: PhotoStore;
  /** Fetches what typed addresses of pictures name; absent: they are kept as they are. */
  readonly fetchPicture?: PictureFetching['fetch'] | undefined;
  /** Which addresses programs may be told at; for tests, in the place of the world's. */
  readonly outside?: OutsideRules | undefined;
  /** The services users sign in with. */
  readonly social: SocialSetup;
  /** Takes the lines of the log; absent: standard output. */
  readonly writeLog?: ((line: string) => void) | undefined;
  /** False for tests of the API alone: the pages are not mounted. */
  readonly web: boolean;
}

/** By what orders move. */
export const orderRulesOf = (config: Config): OrderRules => ({
  clock: orderClockOf(config),
  cancels: config.orders.cancels,
  reachDays: config.orders.reachDays,
});

/** What the payment services work with; what needs an operator is logged as an error. */
export const paymentDepsOf = (
  { db, config, provider }: Pick<AppDeps, 'db' | 'config' | 'provider'>,
  log: Pick<FastifyInstance['log'], 'error'>,
): PaymentDeps => ({
  db,
  provider,
  holdMinutes: config.holdMinutes,
  terms: config.money,
  hooks: orderHooks(orderRulesOf(config)),
  payouts: config.payouts,
  alert: (what, facts) => log.error(facts, what),
});

/** In a demo crowds of scripts come from one machine; in production limits are as they are written down. */
const DEMO_PATIENCE = 1_000;

const limitsOf = (db: Db, config: Config): RateLimitOptions => ({
  countTogether: (attempts) =>
    takeAttempts(
      db,
      attempts.map(({ kind, calls, windowSeconds, subject }) => ({
        limit: { kind, attempts: calls, windowSeconds, windowFrom: 'first', asyncCommit: true },
        subject,
      })),
    ),
  networkOf,
  patience: config.mode === 'production' ? 1 : DEMO_PATIENCE,
  workers: config.workers,
});

/** The whole shop as one Fastify app; the only place where rooms are wired together. */
export const buildApp = async (deps: AppDeps): Promise<FastifyInstance> => {
  const { db, config, setup, replicas, standins, fetchPicture } = deps;
  const publicCache = deps.cache && { cache: deps.cache, tagsOf };
  const app = await createHttpApp({
    // A bad credential is anonymous; only a failing database throws.
    credentials: {
      viewerOfAccessToken: (token) => viewerOfAccessToken(db, config, token),
      viewerOfKey: (key) => viewerOfKey(db, key),
      viewerOfSessionToken: (token) => viewerOfSessionToken(db, config, token),
    },
    cookieRules: { https: config.https, origins: config.origins },
    publicUrl: config.publicUrl,
    trustProxy: config.trustProxy,
    logger: logOptions(config.logLevel, deps.writeLog),
    limits: limitsOf(db, config),
    capacity: deps.capacity,
    publicCache,
    metrics: deps.metrics,
    // Whoever is signed in sees what they changed.
    readPublic: ({ path, viewer }, work) =>
      viewer.kind === 'signed-in' || replicas === undefined ? work(db) : replicas.read(tagsOf(path) ?? ['lists'], work),
  });
  const payments = paymentDepsOf(deps, app.log);
  const texts = await openTexts(config.textsDir, config.money);
  if (!(await putInForce(db, texts.terms)))
    app.log.warn({ version: texts.terms.version }, 'terms.md was changed and has the version that it had before');
  const photos = { db, store: deps.photos, maker: createPhotoMaker() };
  app.addHook('onClose', () => photos.maker.close());
  // Before the routes whose answers it adds to.
  if (config.mode === 'demo') demoRoutes(app, { db, people: DEMO_ACCOUNTS, tellClock: clockTeller(standins) });
  identityRoutes(app, { db, config });
  socialRoutes(app, { db, config, providers: createSocialProviders(deps.social) });
  const pictures = fetchPicture && { ...photos, fetch: fetchPicture };
  const typed = { db, mode: config.mode, pictures };
  accountRoutes(app, { db, config, takePortrait: (userId, address) => takePortrait(typed, userId, address) });
  apiKeyRoutes(app, { db });
  mailLinkRoutes(app, { db, config, mailbox: standins.mailbox === undefined ? null : '/standins/mailbox' });
  await noticeRoutes(app, { db });
  categoryRoutes(app, { db });
  categoryAdminRoutes(app, { db });
  listingRoutes(app, {
    db,
    config,
    pictures,
    holdForLook: holdingOf(config.holding),
    noteTakenDown,
    closeLines: closeLinesOf,
  });
  const openLibrary = openLibraryOf(db, config, standins.openLibrary);
  editionRoutes(app, { db, openLibrary, timeZone: config.shopTimeZone });
  authorRoutes(app);
  await photoRoutes(app, photos);
  publicPhotoRoutes(app, photos);
  draftRoutes(app, { db });
  await stockRoutes(app, { db, mode: config.mode, placeAndPhoneOf });
  stockCopiesRoutes(app, {
    db,
    mode: config.mode,
    timeZone: config.shopTimeZone,
    closeLines: closeLinesOf,
    holdEndOf,
  });
  deliveryRoutes(app, { db });
  feedRoutes(app, { db, publicUrl: config.publicUrl });
  searchRoutes(app, publicCache !== undefined);
  bookingRoutes(app, {
    db,
    holdMinutes: config.holdMinutes,
    reachDays: config.orders.reachDays,
    publicUrl: config.publicUrl,
  });
  waitlistRoutes(app, { db });
  pausingRoutes(app, { db, holdMinutes: config.holdMinutes, timeZone: config.shopTimeZone });
  standingRoutes(app, { db });
  summaryRoutes(app, { db });
  chartRoutes(app, { db, timeZone: config.shopTimeZone });
  statementRoutes(app, {
    db,
    terms: { ...config.money, confirmedOnly: config.mode === 'production' },
    timeZone: config.shopTimeZone,
  });
  paymentRoutes(app, { ...payments, setup });
  messageRoutes(app, { db, reachDays: config.orders.reachDays, live: deps.live ?? noLive() });
  orderRoutes(app, { db, rules: orderRulesOf(config) });
  reviewRoutes(app, { db });
  sellerRoutes(app, { db });
  wantRoutes(app, {
    ...payments,
    publicUrl: config.publicUrl,
    learnIsbn: (isbn13) => learnEdition({ db, openLibrary }, isbn13),
  });
  watchingRoutes(app, { db, publicUrl: config.publicUrl });
  programRoutes(app, { db, ...(deps.outside && { outside: deps.outside }) });
  lawRoutes(app, { db, texts });
  moneyRoutes(app, payments);
  payoutRoutes(app, { ...payments, publicUrl: config.publicUrl });
  byHandRoutes(app, { ...payments, config, calendar: orderClockOf(config).calendar });
  moderationRoutes(app, { ...payments, config, rules: orderRulesOf(config) });
  suspendingRoutes(app, { db });
  identityCheckRoutes(app, { db });
  reportRoutes(app, { ...payments, rules: orderRulesOf(config), timeZone: config.shopTimeZone });
  adminsDayRoutes(app, { db });
  privacyRoutes(app, { ...payments, config, store: photos.store, addressDays: config.orders.addressDays });
  await webhookRoutes(app, payments);
  for (const [prefix, service, target] of [
    ['/standins/stripe', 'payment', standins.stripe],
    ['/standins/mailbox', 'mailbox', standins.mailbox],
    [SIGN_IN_PREFIX, 'sign-in', standins.signIn],
  ] as const) {
    if (target !== undefined) await proxyStandin(app, { prefix, target: new URL(target), service });
  }
  addSecurityTxt(app, { publicUrl: config.publicUrl, contact: config.securityContact });
  sitemapRoutes(app, { db, publicUrl: config.publicUrl });
  // Loaded when wanted: the API alone needs no renderer.
  if (deps.web) await (await import('./http/pages/web.ts')).mountWeb(app, { config, publicCache });
  else app.setNotFoundHandler(replyNotFound);
  return app;
};
