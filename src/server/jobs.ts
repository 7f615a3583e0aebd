import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { orderRulesOf, paymentDepsOf } from './app.ts';
import { bringShelvesBack } from './bookings/pausing/pausing.service.ts';
import { forgetOldKeys } from './bookings/idempotency.service.ts';
import { tidyShelf } from './catalog/listings/listing.service.ts';
import type { FetchingDeps } from './catalog/photos/fetching/fetch-due.service.ts';
import { fetchPicture } from './catalog/photos/fetching/fetch-picture.ts';
import { fetchDuePicture } from './catalog/photos/fetching/listing-pictures.service.ts';
import { fetchDuePortrait } from './catalog/photos/fetching/portraits.service.ts';
import { createPhotoMaker } from './catalog/photos/making/maker.ts';
import { stripOldPhotos, sweepPhotos } from './catalog/photos/photo-sweep.service.ts';
import { lookForStrays } from './catalog/photos/strays/strays.service.ts';
import type { PhotoStore } from './catalog/photos/store/photo-store.ts';
import { closeLinesOf } from './bookings/waitlist/waitlist.service.ts';
import { learnEdition } from './catalog/editions/edition.service.ts';
import type { AskOpenLibrary } from './catalog/editions/open-library.ts';
import { workOnStock } from './catalog/stock/steps/stock-job.service.ts';
import { tidyStock } from './catalog/stock/steps/tidying.service.ts';
import type { CommitDeps } from './catalog/stock/steps/committing.service.ts';
import { tellStockWritten } from './catalog/stock/steps/telling.service.ts';
import { holdingOf } from './moderation/reports/holding.service.ts';
import { forgetOldDrafts } from './catalog/drafts/draft.service.ts';
import { tidyWords } from './catalog/search/word-sweep.service.ts';
import { answerResetRequests } from './identity/passwords/reset.service.ts';
import { sweepIdentity } from './identity/sessions/sessions.service.ts';
import { findDueJobs, type DueJobs } from './jobs.queries.ts';
import { deliverDueMail, tidyOutbox, type MailTransport } from './mail/delivery.service.ts';
import { liftDueSuspensions } from './moderation/suspending/suspending.service.ts';
import { tidyMessages } from './messages/messages.service.ts';
import { tidyNotices } from './notices/notices.service.ts';
import { forgetOldAddresses } from './orders/leaving/forgetting.service.ts';
import { checkIdentities } from './moderation/identity/identity-checks.service.ts';
import { cancelAbandonedOrders } from './orders/leaving/leaving.service.ts';
import { keepHeartbeat, moveDueOrders, remindOfOrders } from './orders/order-sweep.service.ts';
import { forgetIdleAddresses } from './payments/checkouts/checkout.queries.ts';
import { makeMissingRecords } from './orders/record/record.service.ts';
import { showDueReviews } from './orders/reviews/reviews.service.ts';
import { cancelStoppedIntents } from './payments/intents/failure.service.ts';
import type { PaymentProvider } from './payments/stripe-provider.ts';
import { reconcileWhenDue } from './payments/reconciliation/reconcile.service.ts';
import { renewSealed } from './payments/payouts/by-hand/details.service.ts';
import { lookAtSellers } from './payments/payouts/due.service.ts';
import { refreshAccounts } from './payments/payouts/payee.service.ts';
import { sendReversals } from './payments/payouts/reversal.service.ts';
import { sendPayouts } from './payments/payouts/transfer.service.ts';
import { finishRefunds } from './payments/refunds/refund.service.ts';
import { releaseIdleHolds, releaseLapsedHolds } from './payments/settlement/release.service.ts';
import type { Config } from './platform/config.ts';
import type { Db } from './platform/postgres/db.ts';
import { tellPrograms, tidyDeliveries } from './programs/webhooks/sending.service.ts';
import { repeat } from './platform/repeat.ts';
import { offerCopies } from './wants/offers.service.ts';
import { sendDigests } from './wants/watching/digest.service.ts';
import { expireDueWants } from './wants/wants.service.ts';
import { finishDepartures } from './privacy/departure.service.ts';

/** What the work on stock files needs of the shop. */
export const stockDepsOf = (db: Db, config: Config, openLibrary: AskOpenLibrary | undefined): CommitDeps => ({
  db,
  holdForLook: holdingOf(config.holding),
  tellDone: tellStockWritten,
  closeLines: closeLinesOf,
  learnIsbn: (isbn13) => learnEdition({ db, openLibrary }, isbn13),
});

/**
 * How often it is looked for work: a hold frees within this of its time (5 s are promised), a mail leaves within this
 * of its commit.
 */
const LOOK_PAUSE_MS = 1_000;
/** What means nothing any more is dropped this often. */
const TIDY_PAUSE_MS = 3_600_000;
/** Jobs may be broken off after this long: whoever opens the shop next goes on with them. */
const STOP_LIMIT_MS = 10_000;

/**
 * Starts what the shop does by itself. Several processes may: each piece of work is taken by one. Answers how to end
 * it.
 */
export const startJobs = (
  deps: {
    db: Db;
    config: Config;
    provider: PaymentProvider;
    transport: MailTransport;
    photos: PhotoStore;
    openLibrary: AskOpenLibrary | undefined;
  },
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>,
): (() => Promise<void>) => {
  const { db, config, transport } = deps;
  const { publicUrl, shopTimeZone, money } = config;
  const photos = { db, store: deps.photos, maker: createPhotoMaker() };
  const payments = paymentDepsOf(deps, log);
  const every = { unpaidSeconds: money.reconcileSeconds, allSeconds: money.reconcileAllSeconds };
  const warn = (what: string) => (error: unknown, subject?: string) => log.warn({ err: error, subject }, what);
  const [closing, cutOff] = [new AbortController(), new AbortController()];

  const fetching: FetchingDeps = {
    ...photos,
    fetch: (address) => fetchPicture(address, { signal: closing.signal, userAgent: `Dogear (${publicUrl})` }),
    onGivenUp: ({ id, host }, why) => log.warn({ id, host, why }, 'a picture could not be fetched'),
  };
  const jobs: Record<keyof DueJobs, () => Promise<unknown>> = {
    // Apart from what waits for the provider: these are on time whatever it does.
    holds: () => releaseIdleHolds(payments, warn('a lapsed hold could not be released yet')),
    wants: () => offerCopies(db, config, warn('a copy could not be offered yet')),
    shelves: () => bringShelvesBack(db, config.holdMinutes, warn('a shelf could not be brought back yet')),
    suspensions: () => liftDueSuspensions(db),
    provider: async () => {
      await releaseLapsedHolds(payments, warn('a lapsed hold could not be released yet'));
      await cancelStoppedIntents(payments, warn('a stopped payment intent could not be cancelled yet'));
      await finishRefunds(payments, warn('a refund could not be finished yet'));
    },
    mail: () =>
      deliverDueMail(
        { db, transport, publicUrl, shopTimeZone },
        { closing: closing.signal, cutOff: cutOff.signal },
        (dead) => log.error({ mail: dead }, 'a mail was given up'),
      ),
    resets: () => answerResetRequests(db),
    orders: async () => {
      // First: who could not act while the shop stood still must not be held to it.
      const stood = await keepHeartbeat(db);
      if (stood !== undefined) log.warn(stood, 'the shop stood still: open orders have as much more time');
      await moveDueOrders(db, orderRulesOf(config), warn('an order could not be moved yet'));
      await remindOfOrders(db);
    },
    payouts: async () => {
      await refreshAccounts(payments, warn('an account could not be asked about yet'));
      await lookAtSellers(db, warn('what a seller is due could not be looked at yet'), config.payouts.way);
      await sendPayouts(payments, warn('a payout could not be sent yet'));
      await sendReversals(payments, warn('money could not be taken back yet'));
    },
    photos: () => sweepPhotos(photos),
    strays: async () => {
      const look = await lookForStrays(photos);
      if (look?.isHeld) log.warn(look, 'more photos in the store are unknown than known: none of them is swept');
    },
    // One each time that it is looked: no host is asked more often.
    pictures: () => fetchDuePicture(fetching),
    portraits: () => fetchDuePortrait(fetching),
    stock: () => workOnStock(stockDepsOf(db, config, deps.openLibrary), closing.signal),
    edits: () => workOnStock(stockDepsOf(db, config, deps.openLibrary), closing.signal, 'edits'),
    webhooks: () => tellPrograms({ db, userAgent: `Dogear (${publicUrl})` }),
    reviews: () => showDueReviews(db),
    reconciliation: () => reconcileWhenDue(payments, every, warn('an intent could not be compared')),
  };
  const names = Object.keys(jobs) as (keyof DueJobs)[];
  const running = new Map<string, Promise<unknown>>();
  const look = async (): Promise<void> => {
    const due = await findDueJobs(db, every);
    for (const name of names) {
      if (due?.[name] !== true || running.has(name)) continue;
      const work = jobs[name]().catch(warn(`the job could not be done: ${name}`));
      running.set(
        name,
        work.finally(() => running.delete(name)),
      );
    }
  };
  const tidy = (): Promise<unknown> =>
    Promise.all([
      forgetOldKeys(db),
      sweepIdentity(db),
      tidyOutbox(db),
      tidyNotices(db),
      tidyMessages(db),
      tidyShelf(db),
      tidyStock(db),
      tidyDeliveries(db),
      forgetOldDrafts(db),
      tidyWords(db),
      stripOldPhotos(db),
      expireDueWants(db),
      sendDigests(db, warn('a digest could not be sent yet')),
      checkIdentities(db),
      makeMissingRecords(db, orderRulesOf(config).clock.calendar),
      cancelAbandonedOrders(db, orderRulesOf(config), undefined, warn('an order could not be cancelled yet')),
      forgetOldAddresses(db, config.orders.addressDays),
      forgetIdleAddresses(db),
      renewSealed(db, config.payouts.detailsKeys),
      finishDepartures(db, config.orders.addressDays, warn('somebody who left could not be forgotten yet')),
    ]);
  const rounds = [
    repeat(look, LOOK_PAUSE_MS, warn('jobs could not be looked for')),
    repeat(tidy, TIDY_PAUSE_MS, warn('what means nothing any more could not be dropped yet')),
  ];
  return async () => {
    closing.abort();
    const limit = sleep(STOP_LIMIT_MS, undefined, { ref: false }).then(() => cutOff.abort());
    await Promise.race([Promise.all(rounds.map((one) => one.stop())).then(() => Promise.all(running.values())), limit]);
    await photos.maker.close();
  };
};
