import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { closeServer } from '#standins/close-server.ts';
import { watchMoney } from './connect/watch.ts';
import { createDeeds } from './store/deeds.ts';
import { createFaults, type FaultPlan } from './faults.ts';
import { createHandler } from './api/http.ts';
import { PROCESSING_MS, watchProcessing } from './cards/processing.ts';
import { STANDIN_CONNECT_WEBHOOK_SECRET } from './keys.ts';
import { openStore } from './store/store.ts';
import { createWebhookSender, RETRY_DELAYS_MS } from './store/webhooks.ts';

// Longer than the SDK's agent keeps a connection idle, so that it is not us who close one it is about to use.
const KEEP_ALIVE_MS = 65_000;

export interface StripeStandinOptions {
  /** Where everything is kept; made when absent. One process at a time. */
  file: string;
  secretKey: string;
  publishableKey: string;
  /** Signs the webhooks. */
  webhookSecret: string;
  /** Signs the webhooks about connected accounts; the one everybody knows by default. */
  connectWebhookSecret?: string;
  /** Where a browser finds this stand-in, for the pages it links to; where it was called by default. */
  publicUrl?: string;
  /** Where events are posted. May be empty, and set later. */
  webhookUrls: readonly string[];
  /** Milliseconds to wait after the first, second, … failed webhook try; Stripe-like, but quicker, by default. */
  retryDelaysMs?: readonly number[];
  /** How long a slow bank takes; a moment by default. */
  processingMs?: number;
  /** Told of failed webhooks and inner failures; never of card data or secrets. */
  log?: (message: string) => void;
}

export interface StripeStandin {
  /**
   * Answers `/`, `/stripe.js`, `/v1/…` and the control API; a prefix it is mounted under must have been taken off
   * `request.url`.
   */
  handler: (request: IncomingMessage, response: ServerResponse) => void;
  /** Listens on 127.0.0.1 (0 picks a free port) and resolves with the port. */
  listen(port: number): Promise<number>;
  /** Replaces the webhook addresses, by position: waiting webhooks go to the new address in the old one's place. */
  setWebhookUrls(urls: readonly string[]): void;
  /** What shall go wrong from now on, as `POST /faults` says it. */
  plan(faults: FaultPlan): void;
  /** Resolves once every webhook was accepted or given up. */
  webhooksSettled(): Promise<void>;
  /** Stops listening and sending; what was not delivered yet goes out after the next start. */
  close(): Promise<void>;
}

/** Opens a stand-in for Stripe on its file; throws when the file is in use, damaged or cannot be written. */
export async function createStripeStandin(options: StripeStandinOptions): Promise<StripeStandin> {
  const log = options.log ?? (() => {});
  const store = openStore(options.file);
  const faults = createFaults();
  const webhooks = createWebhookSender({
    store,
    faults,
    secret: options.webhookSecret,
    connectSecret: options.connectWebhookSecret ?? STANDIN_CONNECT_WEBHOOK_SECRET,
    urls: options.webhookUrls,
    retryDelaysMs: options.retryDelaysMs ?? RETRY_DELAYS_MS,
    log,
  });
  const endpoints = (): number => webhooks.endpoints();
  const deliver = (ids: string[]): void => webhooks.enqueue(ids);
  const doDeed = createDeeds({ store, endpoints, deliver });
  const publicUrl = options.publicUrl?.replace(/\/$/, '');
  const handler = createHandler({ store, keys: options, endpoints, deliver, faults, doDeed, log, publicUrl });
  const stopWatching = watchProcessing({ store, doDeed, log, processingMs: options.processingMs ?? PROCESSING_MS });
  const stopMoney = watchMoney({ store, doDeed, log });
  const servers: Server[] = [];

  return {
    handler,
    listen: (port) =>
      new Promise((resolve, reject) => {
        const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, handler);
        server.once('error', reject);
        server.listen(port, '127.0.0.1', () => {
          servers.push(server);
          const address = server.address();
          resolve(typeof address === 'object' && address !== null ? address.port : port);
        });
      }),
    plan: faults.plan,
    setWebhookUrls: (urls) => webhooks.setUrls(urls),
    webhooksSettled: () => webhooks.settled(),
    async close() {
      stopWatching();
      stopMoney();
      await Promise.all(servers.map(closeServer));
      await webhooks.close();
      await store.close();
    },
  };
}
