import type { StockCells } from '#contract/stock/fields.ts';

/** A row as it was read. */
export interface ReadRow {
  /** Where it begins in the file, from 1. */
  readonly line: number;
  readonly cells: StockCells;
  /** Why it cannot be one, as a sentence. */
  readonly problem?: string | undefined;
  /** Nothing of the file is read after it. */
  readonly isEnd?: true;
}

/** Longer rows are refused: no description is. */
export const MAX_ROW_LENGTH = 1_000_000;
