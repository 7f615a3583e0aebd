import path from 'node:path';
import { createProvider } from './payments/create-provider.ts';
import type { PaymentProvider } from './payments/stripe-provider.ts';
import type { PaymentSetup } from './payments/intents/payment.routes.ts';
import type { Config } from './platform/config.ts';

export interface PaymentParts {
  readonly provider: PaymentProvider;
  readonly setup: PaymentSetup;
  /** Where the stand-in listens; absent with Stripe itself. */
  readonly standins: URL | undefined;
  stop(): Promise<void>;
}

const SCRIPT = '/standins/stripe/stripe.js';

/** Starts the shop's own stand-in on a free loopback port, or uses the one that several apps share. */
const openStandin = async (
  config: Config,
  log: (line: string) => void,
  at: URL | undefined,
): Promise<{ url: URL; stop: () => Promise<void> }> => {
  if (at !== undefined) return { url: at, stop: async () => {} };
  if (config.standinsUrl !== undefined) return { url: new URL(config.standinsUrl), stop: async () => {} };
  const { createStripeStandin } = await import('#standins/stripe/standin.ts');
  const keys = await import('#standins/stripe/keys.ts');
  const standin = await createStripeStandin({
    file: path.join(config.dataDir, 'standins', 'stripe.sqlite'),
    secretKey: keys.STANDIN_SECRET_KEY,
    publishableKey: keys.STANDIN_PUBLISHABLE_KEY,
    webhookSecret: keys.STANDIN_WEBHOOK_SECRET,
    webhookUrls: [`http://127.0.0.1:${config.port}/api/webhooks/stripe`],
    log,
  });
  const port = await standin.listen(0);
  return { url: new URL(`http://127.0.0.1:${port}`), stop: () => standin.close() };
};

/** Stripe where it is configured, else the stand-in, driven by the very same code: the one `at` an address, or its own. */
export const openPayments = async (config: Config, log: (line: string) => void, at?: URL): Promise<PaymentParts> => {
  if (config.stripe !== undefined) {
    const { secretKey, publishableKey, webhookSecret } = config.stripe;
    return {
      provider: createProvider({ secretKey, webhookSecret }),
      setup: { publishableKey, script: null, test: publishableKey.startsWith('pk_test_') },
      standins: undefined,
      stop: async () => {},
    };
  }
  const { url, stop } = await openStandin(config, log, at);
  const keys = await import('#standins/stripe/keys.ts');
  return {
    provider: createProvider({
      secretKey: keys.STANDIN_SECRET_KEY,
      webhookSecret: keys.STANDIN_WEBHOOK_SECRET,
      at: { host: url.hostname, port: Number(url.port), protocol: 'http' },
    }),
    setup: { publishableKey: keys.STANDIN_PUBLISHABLE_KEY, script: SCRIPT, test: true },
    standins: url,
    stop,
  };
};
