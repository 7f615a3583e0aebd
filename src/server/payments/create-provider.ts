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
    connect: {
      createPayee: async (payee) => (await opened()).connect.createPayee(payee),
      findPayee: async (id) => (await opened()).connect.findPayee(id),
      onboardingLink: async (id, urls) => (await opened()).connect.onboardingLink(id, urls),
      loginLink: async (id) => (await opened()).connect.loginLink(id),
      scheduleWeekly: async (id, n) => (await opened()).connect.scheduleWeekly(id, n),
      transfer: async (transfer) => (await opened()).connect.transfer(transfer),
      findTransfer: async (transfer) => (await opened()).connect.findTransfer(transfer),
      reverse: async (reversal) => (await opened()).connect.reverse(reversal),
      listTransfers: async function* (from) {
        yield* (await opened()).connect.listTransfers(from);
      },
      listReversals: async (transferId) => (await opened()).connect.listReversals(transferId),
      listBankPayouts: async (accountId, from) => (await opened()).connect.listBankPayouts(accountId, from),
      balance: async () => (await opened()).connect.balance(),
      balanceOf: async (accountId) => (await opened()).connect.balanceOf(accountId),
      ownPayouts: async () => (await opened()).connect.ownPayouts(),
    },
    readEvent: async (rawBody, signature) => (await opened()).readEvent(rawBody, signature),
  };
};
