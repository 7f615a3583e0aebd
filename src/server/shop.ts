import type { FastifyInstance } from 'fastify';
import { startBackground } from './background.ts';
import { LINGER_MS, stopBackground, type ClosingManner } from './closing.ts';
import { openCounter } from './counter.ts';
import { closerOf, openHouse, type Say, type Steps } from './house.ts';
import { CLOSING, openOps } from './ops/ops-server.ts';
import type { Config } from './platform/config.ts';
import { openTracing } from './platform/tracing.ts';

/** A shop that was opened and does not listen yet. */
export interface OpenShop {
  /** Begins to answer; rejects where it cannot. */
  listen(): Promise<void>;
  /** Ends everything in order, the way that the first call says; calling it again waits for the same end. */
  close(manner?: ClosingManner): Promise<void>;
  /** Drops the connections that closing still waits for. */
  hurry(): void;
  /** Puts a new worker in the place of each, one after the other; absent where there are none. */
  replaceWorkers?(): Promise<void>;
}

/** A shop in this one process. */
export interface Shop extends OpenShop {
  readonly app: FastifyInstance;
}

/**
 * Opens the shop in this process: database, migrations, demo goods on the first start, payments, mail, app, the sweep of lapsed holds.
 * Does not listen yet. What was opened is closed again when a later step fails.
 */
export const openShop = async (config: Config, say: Say): Promise<Shop> => {
  const steps: Steps = [];
  const close = closerOf(steps);
  let isClosing = false;
  let manner: ClosingManner = 'quick';
  try {
    steps.push(await openTracing(config.traces));
    const house = await openHouse(config, say, steps);
    const counter = await openCounter(config, { ...house, mailbox: house.mail.mailbox }, steps);
    const background = startBackground({ db: counter.db, config, house }, counter.app.log);
    await openOps(config, steps, {
      db: counter.db,
      problems: () => (isClosing ? [CLOSING] : []),
      lagSeconds: counter.lagSeconds,
      collect: async () => [await counter.collect()],
    });
    steps.push(async () => {
      await Promise.all([stopBackground(background), counter.close(LINGER_MS[manner])]);
    });
    const { app } = counter;
    return {
      app,
      listen: async () => {
        await app.listen({ port: config.port, host: config.host });
      },
      close: (asked = 'quick') => {
        if (!isClosing) manner = asked;
        isClosing = true;
        return close();
      },
      hurry: () => app.server.closeAllConnections(),
    };
  } catch (error) {
    await close();
    throw error;
  }
};
