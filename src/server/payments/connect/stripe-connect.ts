import Stripe from 'stripe';
import { ProviderFailed, ProviderRefused } from '#server/payments/provider.ts';
import { idOf, LIST_LIMIT, UUID, type StripeClient } from '#server/payments/stripe-client.ts';
import type {
  BalanceFacts,
  BankPayoutFacts,
  Connect,
  NewPayee,
  PayeeFacts,
  Requirement,
  ReversalFacts,
  ReversalToSend,
  TransferFacts,
  TransferToSend,
} from './connect.ts';

const CURRENCY = 'usd';
/** Stripe keeps a key for a day at least: an older one is not relied upon. */
const KEY_KEPT_MS = 23 * 60 * 60 * 1000;
/** The provider's clock and ours may differ by this much. */
const CLOCK_MARGIN_MS = 60_000;
const PAYOUT_DAY = 'friday';
const INCLUDED: Stripe.V2.Core.AccountCreateParams.Include[] = [
  'configuration.recipient',
  'requirements',
  'defaults',
  'identity',
];
/** What Stripe calls an account that it does not know, or that is another shop's. */
const UNKNOWN_ACCOUNT: ReadonlySet<string | undefined> = new Set(['resource_missing', 'account_invalid', 'not_found']);
const REFUSED: ReadonlySet<number | undefined> = new Set([400, 402, 403, 404]);

/** A refusal as ours; it is none of Stripe's failures. */
const refusalOf = (error: unknown): unknown => {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  // The key came with other parameters before, which says nothing of what became of those: only looking does.
  if (error instanceof Stripe.errors.StripeIdempotencyError && error.statusCode === 400) return new ProviderFailed();
  if (!REFUSED.has(error.statusCode) || error instanceof Stripe.errors.StripeRateLimitError) return error;
  return new ProviderRefused(error.message, error.code);
};

const uuidIn = (metadata: Stripe.Metadata | null | undefined, name: string): string | undefined => {
  const value = metadata?.[name] ?? '';
  return UUID.test(value) ? value : undefined;
};

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);

const requirementsOf = ({ requirements }: Stripe.V2.Core.Account): Requirement[] => {
  // Stripe tells one date: that of the most urgent of them.
  const urgent = requirements?.summary?.minimum_deadline;
  return (requirements?.entries ?? []).map((entry) => ({
    what: entry.description,
    problem: entry.errors.map(({ description }) => description).join(' '),
    dueBy: urgent?.time !== undefined && urgent.status === entry.minimum_deadline.status ? new Date(urgent.time) : null,
    isUsers: entry.awaiting_action_from === 'user',
  }));
};

const STATES: Partial<Record<string, PayeeFacts['status']>> = { active: 'active', pending: 'pending' };

const payeeOf = (account: Stripe.V2.Core.Account): PayeeFacts => {
  const capability = account.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers;
  const isClosed = account.closed === true;
  return {
    id: account.id,
    userId: uuidIn(account.metadata, 'user_id'),
    status: (isClosed ? undefined : STATES[capability?.status ?? '']) ?? 'restricted',
    requirements: requirementsOf(account),
    country: (account.identity?.country ?? '').toUpperCase(),
  };
};

const transferOf = (transfer: Stripe.Transfer): TransferFacts => ({
  id: transfer.id,
  payoutId: uuidIn(transfer.metadata, 'payout_id'),
  accountId: idOf(transfer.destination) ?? '',
  amountCents: transfer.amount,
  reversedCents: transfer.amount_reversed,
  createdAt: new Date(transfer.created * 1000),
});

const reversalOf = (reversal: Stripe.TransferReversal): ReversalFacts => ({
  id: reversal.id,
  reversalId: uuidIn(reversal.metadata, 'reversal_id'),
  transferId: idOf(reversal.transfer) ?? '',
  amountCents: reversal.amount,
});

const PAYOUT_STATES: Partial<Record<string, BankPayoutFacts['status']>> = {
  in_transit: 'in_transit',
  paid: 'paid',
  failed: 'failed',
  canceled: 'canceled',
};

const bankPayoutOf = (accountId: string, payout: Stripe.Payout): BankPayoutFacts => ({
  id: payout.id,
  accountId,
  amountCents: payout.amount,
  status: PAYOUT_STATES[payout.status] ?? 'pending',
  arrivesAt: new Date(payout.arrival_date * 1000),
  failure: payout.failure_message ?? payout.failure_code ?? '',
});

const inDollars = (amounts: readonly { readonly amount: number; readonly currency: string }[]): number =>
  amounts.filter(({ currency }) => currency === CURRENCY).reduce((sum, { amount }) => sum + amount, 0);

const balanceOf = ({ available, pending }: Stripe.Balance): BalanceFacts => ({
  availableCents: inDollars(available),
  pendingCents: inDollars(pending),
});

/** Every page of a list, the newest first. */
const pages = async function* <T extends { readonly id: string }>(
  list: (after: { starting_after?: string }) => Promise<Stripe.ApiList<T>>,
): AsyncGenerator<T> {
  let after: string | undefined;
  do {
    const page: Stripe.ApiList<T> = await list(after === undefined ? {} : { starting_after: after });
    yield* page.data;
    after = page.has_more ? page.data.at(-1)?.id : undefined;
  } while (after !== undefined);
};

const collect = async <T>(all: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const one of all) found.push(one);
  return found;
};

/** Stripe Connect: accounts of its second version, transfers and balances of its first, which take their ids. */
export const openConnect = ({ stripe, ask }: StripeClient): Connect => {
  const willing = <T>(call: () => Promise<T>): Promise<T> =>
    ask(() =>
      call().catch((error: unknown) => {
        throw refusalOf(error);
      }),
    );

  const createTransfer = async (transfer: TransferToSend): Promise<TransferFacts> => {
    const { payoutId, orderId, key, amountCents, accountId, chargeId, group } = transfer;
    const made = await willing(() =>
      stripe.transfers.create(
        {
          amount: amountCents,
          currency: CURRENCY,
          destination: accountId,
          metadata: { payout_id: payoutId, ...(orderId !== null && { order_id: orderId }) },
          ...(chargeId !== undefined && { source_transaction: chargeId }),
          ...(group !== undefined && { transfer_group: group }),
        },
        { idempotencyKey: key },
      ),
    );
    return transferOf(made);
  };

  const findTransfer = async ({
    payoutId,
    accountId,
    group,
    writtenAt,
  }: TransferToSend): Promise<TransferFacts | undefined> => {
    const place =
      group === undefined
        ? { destination: accountId, created: { gte: seconds(new Date(writtenAt.getTime() - CLOCK_MARGIN_MS)) } }
        : { transfer_group: group };
    const listed = pages((after) => ask(() => stripe.transfers.list({ ...place, limit: LIST_LIMIT, ...after })));
    for await (const transfer of listed) {
      const facts = transferOf(transfer);
      if (facts.payoutId === payoutId) return facts;
    }
    return undefined;
  };

  const listReversals = async (transferId: string): Promise<ReversalFacts[]> => {
    const listed = pages((after) =>
      ask(() => stripe.transfers.listReversals(transferId, { limit: LIST_LIMIT, ...after })),
    );
    return (await collect(listed)).map(reversalOf);
  };

  const createReversal = async ({ reversalId, transferId, key, amountCents }: ReversalToSend) =>
    reversalOf(
      await willing(() =>
        stripe.transfers.createReversal(
          transferId,
          { amount: amountCents, metadata: { reversal_id: reversalId } },
          { idempotencyKey: key },
        ),
      ),
    );

  const findReversal = async ({ transferId, reversalId }: ReversalToSend): Promise<ReversalFacts | undefined> =>
    (await listReversals(transferId)).find((made) => made.reversalId === reversalId);

  return {
    createPayee: async ({ userId, n, email, name, country }: NewPayee) =>
      payeeOf(
        await willing(() =>
          stripe.v2.core.accounts.create(
            {
              contact_email: email,
              display_name: name,
              dashboard: 'express',
              identity: { country },
              configuration: {
                recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
              },
              // Only so may the shop take the payment itself and send a share of it on.
              defaults: { responsibilities: { fees_collector: 'application', losses_collector: 'application' } },
              metadata: { user_id: userId },
              include: INCLUDED,
            },
            { idempotencyKey: `acct:${userId}:${n}` },
          ),
        ),
      ),

    findPayee: async (id) => {
      try {
        return payeeOf(await willing(() => stripe.v2.core.accounts.retrieve(id, { include: INCLUDED })));
      } catch (error) {
        if (error instanceof ProviderRefused && UNKNOWN_ACCOUNT.has(error.code)) return undefined;
        throw error;
      }
    },

    onboardingLink: async (id, { refreshUrl, returnUrl }) => {
      const link = await willing(() =>
        stripe.v2.core.accountLinks.create({
          account: id,
          use_case: {
            type: 'account_onboarding',
            account_onboarding: { refresh_url: refreshUrl, return_url: returnUrl },
          },
        }),
      );
      return link.url;
    },

    loginLink: async (id) => (await willing(() => stripe.accounts.createLoginLink(id))).url,

    scheduleWeekly: async (id, n) => {
      const schedule = { interval: 'weekly' as const, weekly_payout_days: [PAYOUT_DAY as 'friday'] };
      await willing(() =>
        stripe.balanceSettings.update(
          { payments: { payouts: { schedule } } },
          { stripeAccount: id, idempotencyKey: `schedule:${id}:${n}` },
        ),
      );
    },

    transfer: async (transfer) => {
      // Stripe may have forgotten the key, and would send the money again.
      if (Math.abs(Date.now() - transfer.writtenAt.getTime()) > KEY_KEPT_MS) {
        const made = await findTransfer(transfer);
        if (made !== undefined) return made;
      }
      try {
        return await createTransfer(transfer);
      } catch (error) {
        // Broken off on the way: what it lists tells.
        const made = error instanceof ProviderFailed ? await findTransfer(transfer) : undefined;
        if (made !== undefined) return made;
        throw error;
      }
    },

    findTransfer,

    reverse: async (reversal) => {
      const before = await findReversal(reversal);
      if (before !== undefined) return before;
      try {
        return await createReversal(reversal);
      } catch (error) {
        const made = error instanceof ProviderFailed ? await findReversal(reversal) : undefined;
        if (made !== undefined) return made;
        throw error;
      }
    },

    listTransfers: async function* (from) {
      const listed = pages((after) =>
        ask(() => stripe.transfers.list({ created: { gte: seconds(from) }, limit: LIST_LIMIT, ...after })),
      );
      for await (const transfer of listed) yield transferOf(transfer);
    },

    listReversals,

    listBankPayouts: async (accountId, from) => {
      const listed = pages((after) =>
        willing(() =>
          stripe.payouts.list(
            { created: { gte: seconds(from) }, limit: LIST_LIMIT, ...after },
            { stripeAccount: accountId },
          ),
        ),
      );
      return (await collect(listed)).map((payout) => bankPayoutOf(accountId, payout));
    },

    balance: async () => balanceOf(await ask(() => stripe.balance.retrieve())),

    balanceOf: async (accountId) =>
      balanceOf(await willing(() => stripe.balance.retrieve({}, { stripeAccount: accountId }))),

    ownPayouts: async () => {
      const { payouts } = (await willing(() => stripe.balanceSettings.retrieve())).payments;
      return {
        isManual: payouts?.schedule?.interval === 'manual',
        minimumCents: payouts?.minimum_balance_by_currency?.[CURRENCY] ?? 0,
      };
    },
  };
};
