import type { SaleTerms } from '#contract/money/shares.ts';
import type { Address } from '#contract/delivery/address.ts';
import type { PayoutConfig } from '#server/platform/config.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import type { PaymentProvider } from './stripe-provider.ts';

/** What one payment bought of one seller. */
export interface Purchase {
  /** The checkout's id, and the order's. */
  readonly id: string;
  readonly buyerId: string;
  readonly sellerId: string;
  readonly delivery: 'pickup' | 'post';
  /** Where the parcel goes; null for pickup. */
  readonly address: Address | null;
  readonly isAbroad: boolean;
  /** Where it is picked up; empty for the post. */
  readonly place: string;
  readonly postageCents: number;
  readonly daysToPost: number;
  readonly bookingIds: readonly string[];
}

/**
 * Whom money that moved is told to, in the transaction that moved it. Payments knows nothing of what listens; `app.ts`
 * hands it in.
 */
export interface MoneyHooks {
  /** Before anything of it is posted. */
  readonly settled: (trx: Trx, purchase: Purchase) => Promise<void>;
  /** An admin gives all that is left of a booking's payment back. */
  readonly refundAsked: (trx: Trx, refund: { bookingId: string; by: string }) => Promise<void>;
  /** All of a booking's payment is back with its buyer. */
  readonly refunded: (trx: Trx, refund: { bookingId: string }) => Promise<void>;
  /** A bank asks about a payment, or has taken it back; what was asked about may be taken back later. */
  readonly disputed: (trx: Trx, dispute: { bookingIds: readonly string[]; isInquiry: boolean }) => Promise<void>;
  /**
   * The bank has decided, or an appeal did: won, nothing of these payments is with the buyer any more; lost, all of
   * those of `lostIds` is.
   */
  readonly disputeClosed: (
    trx: Trx,
    dispute: { bookingIds: readonly string[]; lostIds: readonly string[]; won: boolean; isInquiry: boolean },
  ) => Promise<void>;
}

/** What every service of this module is given. */
export interface PaymentDeps {
  readonly db: Db;
  readonly provider: PaymentProvider;
  readonly holdMinutes: number;
  /** Who has which share of a sale. */
  readonly terms: SaleTerms;
  readonly hooks: MoneyHooks;
  /** How sellers are paid. */
  readonly payouts: PayoutConfig;
  /** Calls the operator: something about money needs a user. */
  readonly alert: (what: string, facts: Readonly<Record<string, unknown>>) => void;
}
