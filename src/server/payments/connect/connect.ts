/** A seller who is to be paid out, as the provider is told of them. */
export interface NewPayee {
  readonly userId: string;
  /** Which of the accounts ever asked for of this user it is. */
  readonly n: number;
  readonly email: string;
  readonly name: string;
  /** Two letters. */
  readonly country: string;
}

/** What the provider wants to know before it pays, in its words. */
export interface Requirement {
  readonly what: string;
  /** What was wrong with what was given; empty where nothing was. */
  readonly problem: string;
  readonly dueBy: Date | null;
  /** Whether the seller has to do it; the provider itself is at it else. */
  readonly isUsers: boolean;
}

/** A seller's account at the provider. */
export interface PayeeFacts {
  readonly id: string;
  /** What our metadata says; undefined for an account that nobody here asked for. */
  readonly userId: string | undefined;
  /** Whether money may be sent there. */
  readonly status: 'active' | 'pending' | 'restricted';
  readonly requirements: readonly Requirement[];
  readonly country: string;
}

/** Money for a seller's account at the provider. */
export interface TransferToSend {
  readonly payoutId: string;
  readonly orderId: string | null;
  /** `tr:{order}:{n}`: of several tries each has its own. */
  readonly key: string;
  readonly amountCents: number;
  readonly accountId: string;
  /** The charge it is taken from: then it waits for the charge, and the available balance may be short. */
  readonly chargeId: string | undefined;
  readonly group: string | undefined;
  /** When it was written down, before the provider was asked, by the real clock. */
  readonly writtenAt: Date;
}

export interface TransferFacts {
  readonly id: string;
  /** What our metadata says; undefined for a transfer that nobody here asked for. */
  readonly payoutId: string | undefined;
  readonly accountId: string;
  readonly amountCents: number;
  readonly reversedCents: number;
  readonly createdAt: Date;
}

/** Money of a transfer that is wanted back. */
export interface ReversalToSend {
  readonly reversalId: string;
  readonly transferId: string;
  /** `rev:{transfer}:{n}` */
  readonly key: string;
  readonly amountCents: number;
}

export interface ReversalFacts {
  readonly id: string;
  /** What our metadata says; undefined for one that nobody here asked for. */
  readonly reversalId: string | undefined;
  readonly transferId: string;
  readonly amountCents: number;
}

/** What the provider sends from a seller's account to their bank; below zero it takes from there. */
export interface BankPayoutFacts {
  readonly id: string;
  readonly accountId: string;
  readonly amountCents: number;
  /** `paid` may still turn into `failed`, some days later. */
  readonly status: 'pending' | 'in_transit' | 'paid' | 'failed' | 'canceled';
  readonly arrivesAt: Date;
  /** Why it did not arrive, in the provider's words; empty where it did. */
  readonly failure: string;
}

export interface BalanceFacts {
  readonly availableCents: number;
  readonly pendingCents: number;
}

/** When the provider pays the shop's own balance out, and what it leaves there. */
export interface OwnPayouts {
  readonly isManual: boolean;
  readonly minimumCents: number;
}

/** Where the provider sends a seller whose link does not work any more, and who is through with it. */
export interface OnboardingUrls {
  readonly refreshUrl: string;
  readonly returnUrl: string;
}

/**
 * Sellers' accounts at the provider and the money sent there. What it will not do is `ProviderRefused`, with its words
 * and its code; the same refusal is repeated to the same key, so the next try has another.
 */
export interface Connect {
  createPayee(payee: NewPayee): Promise<PayeeFacts>;
  findPayee(id: string): Promise<PayeeFacts | undefined>;
  /** Where the provider asks a seller what it must know; works once and for some minutes. */
  onboardingLink(id: string, urls: OnboardingUrls): Promise<string>;
  /** The seller's own pages at the provider; works once and for some minutes. */
  loginLink(id: string): Promise<string>;
  /** Has the provider pay the account out to its bank once a week. */
  scheduleWeekly(id: string, n: number): Promise<void>;
  /** Sends money once, however often it is asked with this key or for this payout. */
  transfer(transfer: TransferToSend): Promise<TransferFacts>;
  /** The transfer where `transfer` broke off; undefined when it was not made. */
  findTransfer(transfer: TransferToSend): Promise<TransferFacts | undefined>;
  /** Takes money of a transfer back, once; no more than the account holds. */
  reverse(reversal: ReversalToSend): Promise<ReversalFacts>;
  /** All transfers made since `from`, the newest first. */
  listTransfers(from: Date): AsyncGenerator<TransferFacts>;
  listReversals(transferId: string): Promise<ReversalFacts[]>;
  /** What went from an account to its bank since `from`, the newest first. */
  listBankPayouts(accountId: string, from: Date): Promise<BankPayoutFacts[]>;
  /** The shop's own money at the provider. */
  balance(): Promise<BalanceFacts>;
  balanceOf(accountId: string): Promise<BalanceFacts>;
  ownPayouts(): Promise<OwnPayouts>;
}
