import type { ProviderOptions } from './provider.ts';
import type { PaymentProvider } from './stripe-provider.ts';

/**
 * The payment provider; what speaks to it takes a tenth of a second to load and much memory, so it is when first
 * needed.
 */
export const createProvider = (options: ProviderOptions): PaymentProvider => {
  let opening: Promise<PaymentProvider> | undefined;
  const opened = (): Promise<PaymentProvider> =>
    (opening ??= import('./stripe-provider.ts').then(({ openStripe }) => openStripe(options)));
  return {
    createIntent: async (intent) => (await opened()).createIntent(intent),
    findMadeIntent: async (intent) => (await opened()).findMadeIntent(intent),
    findIntent: async (id) => (await opened()).findIntent(id),
    findRefunds: async (intentId) => (await opened()).findRefunds(intentId),
    cancelIntent: async (id) => (await opened()).cancelIntent(id),
    listIntents: async function* (from) {
      yield* (await opened()).listIntents(from);
    },
    listDisputes: async function* (from) {
      yield* (await opened()).listDisputes(from);
    },
    refund: async (refund) => (await opened()).refund(refund),
    findDispute: async (id) => (await opened()).findDispute(id),
    readEvent: async (rawBody, signature) => (await opened()).readEvent(rawBody, signature),
  };
};
