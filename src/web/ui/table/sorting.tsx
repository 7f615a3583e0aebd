import { useId, useSyncExternalStore } from 'react';
import { SortedIcon } from './table-icons.tsx';

/** What a header sorts by, up (a to z, small to large, old to new) and down; `first` says which a press begins with. */
export interface ColumnSort {
  readonly up: string;
  readonly down: string;
  readonly first?: 'up' | 'down';
}

/** The orders of a list, as a person chooses them; the first one is that of a list that nobody has sorted. */
export interface Sorting {
  readonly by: string;
  readonly choices: readonly (readonly [value: string, words: string])[];
  /** What was chosen last, while the list is being read in that order. */
  readonly asked: string;
  readonly busy: boolean;
  readonly onSort: (value: string) => void;
}

const WIDE = '(width >= 40rem)';

const onWidth = (changed: () => void): (() => void) => {
  const media = matchMedia(WIDE);
  media.addEventListener('change', changed);
  return () => media.removeEventListener('change', changed);
};

/** Whether heads are shown: a button in one that is only read out could be reached and not be seen. */
const useWide = (): boolean =>
  useSyncExternalStore(
    onWidth,
    () => matchMedia(WIDE).matches,
    () => true,
  );

/** What a press on the header sorts by: one way, then the other, then as nobody has sorted it. */
const afterPress = ({ up, down, first = 'up' }: ColumnSort, { by, choices }: Sorting): string => {
  const [one, other] = first === 'up' ? [up, down] : [down, up];
  if (by === one) return other;
  const initial = choices[0]?.[0] ?? one;
  return by === other && initial !== other ? initial : one;
};

interface HeadCellProps {
  header: string;
  isQuiet: boolean;
  sort: ColumnSort | undefined;
  sorting: Sorting | undefined;
  className: string | undefined;
}

/** The head of a column, with a button where the list can be sorted by it. */
export const HeadCell = ({ header, isQuiet, sort, sorting, className }: HeadCellProps) => {
  const isWide = useWide();
  if (sort === undefined || sorting === undefined || !isWide) {
    return (
      <th role="columnheader" scope="col" className={className}>
        {isQuiet ? <span className="sr-only">{header}</span> : header}
      </th>
    );
  }
  const way = sorting.by === sort.up ? 'ascending' : sorting.by === sort.down ? 'descending' : undefined;
  return (
    <th role="columnheader" scope="col" className={className} aria-sort={way}>
      <button type="button" className="head-sort" onClick={() => sorting.onSort(afterPress(sort, sorting))}>
        {header}
        <SortedIcon className="size-4" />
      </button>
    </th>
  );
};

/** The same choice for a phone, which shows no head. */
export const SortSelect = ({ sorting: { asked, choices, onSort } }: { sorting: Sorting }) => {
  const id = useId();
  return (
    <p className="flex items-center gap-2 sm:hidden">
      <label htmlFor={id} className="text-sm font-semibold">
        Sort
      </label>
      <select
        id={id}
        className="select h-11 w-auto text-base"
        value={asked}
        onChange={({ currentTarget }) => onSort(currentTarget.value)}
      >
        {choices.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </p>
  );
};
