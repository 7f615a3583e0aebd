import type { StockFilter } from '#contract/stock/stock-copies.ts';
import { MAX_NAMED_COPIES, type StockSelection } from '#contract/stock/stock-edits.ts';

/** Which copies are chosen: some by name, or all that the filter finds but for some. */
export interface Chosen {
  readonly isAll: boolean;
  /** The chosen ones, or those that are left out of all. */
  readonly ids: ReadonlySet<string>;
}

export const NONE: Chosen = { isAll: false, ids: new Set() };

export const isChosen = ({ isAll, ids }: Chosen, id: string): boolean => ids.has(id) !== isAll;

/** The same with these copies chosen, or not any more; as they were where that is more than may be named. */
export const choose = (chosen: Chosen, which: readonly string[], isOn: boolean): Chosen => {
  const ids = new Set(chosen.ids);
  for (const id of which) {
    if (isOn === chosen.isAll) ids.delete(id);
    else ids.add(id);
  }
  return ids.size > MAX_NAMED_COPIES ? chosen : { ...chosen, ids };
};

export const countOf = ({ isAll, ids }: Chosen, total: number): number => (isAll ? total - ids.size : ids.size);

export const selectionOf = ({ isAll, ids }: Chosen, filter: StockFilter): StockSelection =>
  isAll ? { filter, except: [...ids] } : { ids: [...ids] };
