import { seedDemoHistory } from '#db/seed/orders/demo-history.ts';
import { seedDemoHolds } from '#db/seed/demo-holds.ts';
import { ORDERS_OF, seedDemoOrders } from '#db/seed/orders/demo-orders.ts';
import { addDemoPhotos, type DemoPhotosWanted } from '#db/seed/demo-photos.ts';
import { orderRulesOf, paymentDepsOf } from './app.ts';
import { createPhotoMaker } from './catalog/photos/making/maker.ts';
import { openLibraryOf } from './catalog/editions/edition.service.ts';
import { createPhotoStore } from './catalog/photos/store/photo-store.ts';
import { openHttpServer, type Server, type ShutdownMode } from './http-server.ts';
import { openInfrastructure, type Infrastructure, type Say } from './infrastructure.ts';
import { startJobs } from './jobs.ts';
import { openOps } from './ops/ops-server.ts';
import type { Config } from './platform/config.ts';
import { openTracing } from './platform/tracing.ts';
import { openMail } from './services.ts';
import { openWorkers } from './workers.ts';

/** A shop that was opened and does not listen yet. */
export interface Shop extends Pick<Server, 'listen' | 'hurry' | 'reload'> {
  /** Ends everything in order, the way that the first call says; calling it again waits for the same end. */
  close(mode?: ShutdownMode): Promise<void>;
}

/**
 * Puts past sales, orders, a hold and a line into a demo shop that has just been put in, where the stand-in takes the
 * payments.
 */
const addDemoOrders = async (
  config: Config,
  { isStocked, standins }: Infrastructure,
  { db, provider, log }: Pick<Server, 'db' | 'provider' | 'log'>,
): Promise<void> => {
  if (!config.demoOrders || !isStocked || standins.stripe === undefined) return;
  const payments = paymentDepsOf({ db, config, provider }, log);
  try {
    const deps = { payments, rules: orderRulesOf(config), standin: new URL(standins.stripe) };
    await seedDemoHistory(deps);
    await seedDemoOrders(deps);
    await seedDemoHolds(db, config.holdMinutes);
  } catch (error) {
    log.warn({ err: error }, 'not all demo orders could be made');
  }
};

/** Gives a demo shop's copies their sample photos; begun again by the next start where it was not finished. */
const addSamplePhotos = async (
  config: Config,
  { db, log }: Pick<Server, 'db' | 'log'>,
  which: DemoPhotosWanted,
): Promise<void> => {
  if (!config.demoPhotos) return;
  const maker = createPhotoMaker();
  try {
    await addDemoPhotos({ db, store: createPhotoStore(config.photos), maker }, which, (error, title) =>
      log.warn({ err: error, title }, 'a demo copy could not be given its sample photos'),
    );
  } catch (error) {
    log.warn({ err: error }, 'not all sample photos could be made');
  } finally {
    await maker.close();
  }
};

/**
 * Opens the shop: database, migrations, demo goods on the first start, services, what answers, jobs. What was opened is
 * closed again when a later step fails.
 */
export const openShop = async (config: Config, say: Say): Promise<Shop> => {
  const resources = new AsyncDisposableStack();
  let closing: Promise<void> | undefined;
  let mode: ShutdownMode = 'quick';
  const close: Shop['close'] = (asked = 'quick') => {
    if (closing === undefined) mode = asked;
    return (closing ??= resources.disposeAsync());
  };
  try {
    resources.defer(await openTracing(config.traces));
    const infrastructure = await openInfrastructure(config, say, resources);
    const open = config.workers > 1 ? openWorkers : openHttpServer;
    const server = await open(config, infrastructure, resources);
    const { db, provider, log } = server;
    await openOps(config, resources, {
      ...server,
      problems: () => (closing === undefined ? server.problems() : ['The shop is closing.']),
    });
    const stopJobs = startJobs(
      {
        db,
        config,
        provider,
        transport: openMail(config, infrastructure.standins.mailbox),
        photos: createPhotoStore(config.photos),
        openLibrary: openLibraryOf(db, config, infrastructure.standins.openLibrary),
      },
      log,
    );
    let ordering: Promise<void> | undefined;
    const photographing = new AbortController();
    // The shop is open before, and hears what the stand-in tells of their payments.
    const listen: Shop['listen'] = async () => {
      const address = await server.listen();
      const { signal: closing } = photographing;
      ordering = (async () => {
        // What is ordered shows its photos from the first.
        await addSamplePhotos(config, server, { closing, of: ORDERS_OF });
        await addDemoOrders(config, infrastructure, server);
        await addSamplePhotos(config, server, { closing });
      })();
      return address;
    };
    resources.defer(async () => {
      photographing.abort();
      await Promise.all([ordering, stopJobs(), server.close(mode)]);
    });
    return { listen, hurry: server.hurry, ...(server.reload && { reload: server.reload }), close };
  } catch (error) {
    await close();
    throw error;
  }
};
