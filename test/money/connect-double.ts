import { randomUUID } from 'node:crypto';
import type {
  BankPayoutFacts,
  Connect,
  PayeeFacts,
  ReversalFacts,
  TransferFacts,
} from '#server/payments/connect/connect.ts';
import { ProviderFailed, ProviderRefused } from '#server/payments/provider.ts';

/** What goes wrong with a call: before its work, or after it. */
export type Mishap = 'fails before' | 'fails after' | 'key forgotten';

/**
 * Connect in memory, which keeps answers by key as the provider does: refusals too. What it does wrong, and what its
 * accounts hold, tests say.
 */
export const connectDouble = () => {
  const payees = new Map<string, PayeeFacts>();
  const transfers: TransferFacts[] = [];
  const reversals: ReversalFacts[] = [];
  const answers = new Map<string, () => unknown>();
  const held = new Map<string, number>();
  const bankPayouts: BankPayoutFacts[] = [];
  const state = { availableCents: 1_000_000_000, asked: 0, mishaps: [] as Mishap[] };

  const once = async <T>(key: string, work: () => T): Promise<T> => {
    state.asked += 1;
    const mishap = state.mishaps.shift();
    if (mishap === 'fails before') throw new ProviderFailed();
    const known = answers.get(key);
    if (known !== undefined) return known() as T;
    let made: T;
    try {
      made = work();
    } catch (error) {
      answers.set(key, () => {
        throw error;
      });
      throw error;
    }
    if (mishap !== 'key forgotten') answers.set(key, () => made);
    if (mishap !== undefined) throw new ProviderFailed();
    return made;
  };

  const connect: Connect = {
    createPayee: ({ userId, n, country }) =>
      once(`acct:${userId}:${n}`, () => {
        if (country === 'KP') throw new ProviderRefused('KP is not supported', 'country_unsupported');
        const payee = {
          id: `acct_${userId.replaceAll('-', '')}${n}`,
          userId,
          status: 'pending' as const,
          requirements: [],
          country,
        };
        payees.set(payee.id, payee);
        return payee;
      }),
    findPayee: async (id) => payees.get(id),
    onboardingLink: async (id) => `https://connect.example/setup/${id}`,
    loginLink: async (id) => `https://connect.example/express/${id}`,
    scheduleWeekly: async () => {},
    transfer: async (transfer) => {
      const { payoutId, accountId, amountCents, key } = transfer;
      return once(key, () => {
        if (payees.get(accountId)?.status !== 'active') throw new ProviderRefused('not active', 'account_invalid');
        if (amountCents > state.availableCents) throw new ProviderRefused('too little', 'balance_insufficient');
        state.availableCents -= amountCents;
        held.set(accountId, (held.get(accountId) ?? 0) + amountCents);
        const id = `tr_${randomUUID().replaceAll('-', '')}`;
        const made = { id, payoutId, accountId, amountCents, reversedCents: 0, createdAt: new Date() };
        transfers.push(made);
        return made;
      });
    },
    findTransfer: async ({ payoutId }) => transfers.find((made) => made.payoutId === payoutId),
    reverse: async ({ reversalId, transferId, key, amountCents }) => {
      const before = reversals.find((made) => made.reversalId === reversalId);
      if (before !== undefined) return before;
      return once(key, () => {
        const at = transfers.findIndex(({ id }) => id === transferId);
        const transfer = transfers[at];
        if (transfer === undefined) throw new ProviderRefused('no such transfer', 'resource_missing');
        const holds = held.get(transfer.accountId) ?? 0;
        if (amountCents > transfer.amountCents - transfer.reversedCents || amountCents > holds) {
          throw new ProviderRefused('not enough', 'balance_insufficient');
        }
        held.set(transfer.accountId, holds - amountCents);
        state.availableCents += amountCents;
        transfers[at] = { ...transfer, reversedCents: transfer.reversedCents + amountCents };
        const made = { id: `trr_${randomUUID().replaceAll('-', '')}`, reversalId, transferId, amountCents };
        reversals.push(made);
        return made;
      });
    },
    listTransfers: async function* () {
      yield* transfers.toReversed();
    },
    listReversals: async (transferId) => reversals.filter((made) => made.transferId === transferId),
    listBankPayouts: async (accountId) => bankPayouts.filter((payout) => payout.accountId === accountId),
    balance: async () => ({ availableCents: state.availableCents, pendingCents: 0 }),
    ownPayouts: async () => ({ isManual: false, minimumCents: 0 }),
    balanceOf: async (accountId) => ({ availableCents: held.get(accountId) ?? 0, pendingCents: 0 }),
  };

  return {
    connect,
    transfers,
    reversals,
    bankPayouts,
    state,
    held,
    /** What the provider says of an account from now on. */
    turn: (id: string, facts: Partial<PayeeFacts>): void => {
      const payee = payees.get(id);
      if (payee === undefined) throw new Error(`no account ${id}`);
      payees.set(id, { ...payee, ...facts });
    },
    /** The provider knows an account no more. */
    forget: (id: string): void => {
      payees.delete(id);
    },
    /** An account that can be paid, for whoever is not to go through the setup. */
    readyAccount: (userId: string): string => {
      const id = `acct_${userId.replaceAll('-', '')}`;
      payees.set(id, { id, userId, status: 'active', requirements: [], country: 'US' });
      return id;
    },
  };
};

export type ConnectDouble = ReturnType<typeof connectDouble>;
