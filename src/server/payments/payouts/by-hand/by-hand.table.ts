import type { Generated } from 'kysely';
import type { AdjustmentAccount } from '#contract/money/adjustments.ts';
import type { BankAccountKind, BankAccountType } from '#contract/money/bank-details.ts';

export interface PayoutDetailsTable {
  seller_id: string;
  version: Generated<number>;
  kind: BankAccountKind;
  country: string;
  account_type: BankAccountType | null;
  shown: string;
  key_id: string;
  sealed: Buffer;
  fingerprint: Buffer;
  entered_at: Generated<Date>;
  paused_until: Date;
  locked: string | null;
}

/** Who asks the shop's bank in a file of NACHA. */
export interface Originator {
  readonly bankRouting: string;
  readonly bankName: string;
  readonly companyId: string;
  readonly companyName: string;
}

/** What a file says beside its payouts. */
export interface Filed {
  /** `YYMMDD`, by the shop's calendar. */
  readonly day: string;
  /** `HHMM` */
  readonly time: string;
  /** `YYMMDD`: the working day after. */
  readonly effective: string;
  /** Null: there is no file of NACHA. */
  readonly originator: Originator | null;
}

export interface PayoutBatchesTable {
  id: Generated<string>;
  n: Generated<number>;
  made_by: string;
  made_at: Generated<Date>;
  second_reason: string | null;
  approved_by: string | null;
  approved_at: Date | null;
  /** jsonb: handed to the database as its text */
  filed: unknown;
}

export interface HandPayoutsTable {
  payout_id: string;
  batch_id: string;
  line: number | null;
  kind: BankAccountKind;
  country: string;
  shown: string;
  details_version: number;
  key_id: string;
  sealed: Buffer | null;
  second_reason: string | null;
  reference: string | null;
  settled_on: string | null;
}

export interface AdjustmentsTable {
  id: Generated<string>;
  seller_id: string;
  amount_cents: number;
  account: AdjustmentAccount;
  reason: string;
  asked_by: string;
  asked_at: Generated<Date>;
  state: Generated<'asked' | 'booked' | 'declined'>;
  decided_by: string | null;
  decided_at: Date | null;
}
