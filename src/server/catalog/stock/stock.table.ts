import type { Generated } from 'kysely';
import type { StockChange } from '#contract/stock/stock-edits.ts';
import type { StockCells } from '#contract/stock/fields.ts';
import type { StockAction, StockChoices, StockFileState, StockSurvey } from '#contract/stock/stock-files.ts';

/** Which copies a number of a seller means, and what is the seller's alone to see of each. */
export interface StockCopiesTable {
  listing_id: string;
  seller_id: string;
  sku: string;
  number: number;
  shelf: Generated<string>;
  cost_cents: number | null;
  note: Generated<string>;
  grade_text: Generated<string>;
  sold_at: Date | null;
}

/** Files on their way into the shop. */
export interface StockFilesTable {
  id: string;
  seller_id: string;
  name: string;
  size: number;
  state: Generated<StockFileState>;
  problem: Generated<string>;
  as_of: Generated<Date>;
  survey: StockSurvey | null;
  choices: Generated<StockChoices>;
  left_copies: Generated<readonly LeftCopy[]>;
  done_rows: Generated<number>;
  done_line: Generated<number>;
  all_rows: Generated<number>;
  committed_at: Date | null;
  /** Null for a file. */
  edit: Generated<StockChange | null>;
  created_at: Generated<Date>;
}

/** The copies of an edit that are still to be written. */
export interface StockEditCopiesTable {
  file_id: string;
  listing_id: string;
}

/** A copy that an undo had to leave. */
export interface LeftCopy {
  readonly sku: string;
  readonly title: string;
  readonly status: string;
}

/** The bytes of a file until it is written or dropped. */
export interface StockFilePartsTable {
  file_id: string;
  number: number;
  sha256: Buffer;
  bytes: Buffer;
}

/** The rows of a file and what each comes to. */
export interface StockRowsTable {
  file_id: string;
  line: number;
  sku: Generated<string>;
  digest: Buffer;
  cells: StockCells;
  problem: Generated<string>;
  action: StockAction | null;
  reason: Generated<string>;
  lacks: Lack | null;
  added: Generated<number>;
  changed: Generated<number>;
  withdrawn: Generated<number>;
  sold_here: Generated<number>;
  kept: Generated<number>;
}

/** What a new copy lacks that its seller can say for all rows. */
export type Lack = 'category' | 'condition' | 'price' | 'location';

/** What a file did to copies. */
export interface StockChangesTable {
  file_id: string;
  listing_id: string;
  deed: 'added' | 'changed' | 'withdrawn' | 'paused' | 'resumed';
  before: Readonly<Record<string, unknown>> | null;
}
