import type { SaleTerms } from '#server/ledger/ledger.service.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import type { PaymentProvider } from './stripe-provider.ts';

/** What every service of this module is given. */
export interface PaymentDeps {
  readonly db: Db;
  readonly provider: PaymentProvider;
  readonly holdMinutes: number;
  /** Who has which share of a sale. */
  readonly terms: SaleTerms;
  /** Calls the operator: something about money needs a user. */
  readonly alert: (what: string, facts: Readonly<Record<string, unknown>>) => void;
}
