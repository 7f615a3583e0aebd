import { Link } from 'react-router';
import { formatCount } from '#contract/count.ts';
import type { StockFilter } from '#contract/stock/stock-copies.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { choose, NONE, type Chosen } from './selection.ts';

/** So many labels are printed at a time where they are named. */
const MOST_LABELS = 100;

const labelsOf = ({ isAll, ids }: Chosen, filter: StockFilter): string =>
  `/dashboard/stock/labels?${new URLSearchParams(isAll ? filter : { ids: [...ids].join(',') }).toString()}`;

interface Props {
  chosen: Chosen;
  count: number;
  /** How many the filter finds, and those of them that are on the page. */
  total: number;
  shown: readonly string[];
  filter: StockFilter;
  onChosen: (chosen: Chosen) => void;
  onEdit: (how: 'edit' | 'remove') => void;
}

/** What is chosen, and what can be done to it; stays in sight. */
export const ChosenBar = ({ chosen, count, total, shown, filter, onChosen, onEdit }: Props) => {
  if (shown.length === 0) return null;
  const mayPrint = chosen.isAll ? chosen.ids.size === 0 : count <= MOST_LABELS;
  return (
    <div
      role="group"
      aria-label="Chosen copies"
      className={classes(
        'bottom-0 z-10 mt-4 flex flex-wrap items-center gap-2 rounded-box border border-base-300 bg-base-100 p-3',
        count > 0 && 'sticky shadow-lg',
      )}
    >
      <p role="status" className="mr-auto text-sm font-semibold">
        {count === 0 ? 'None chosen' : `${formatCount(count)} chosen`}
      </p>
      {count < total && shown.length < total && !chosen.isAll && (
        <Button look="quiet" size="sm" onClick={() => onChosen(choose(chosen, shown, true))}>
          Choose the {formatCount(shown.length)} shown
        </Button>
      )}
      {count < total && (
        <Button look="quiet" size="sm" onClick={() => onChosen({ isAll: true, ids: new Set() })}>
          Choose all {formatCount(total)}
        </Button>
      )}
      {count > 0 && (
        <>
          <Button look="quiet" size="sm" onClick={() => onChosen(NONE)}>
            Clear
          </Button>
          {mayPrint && (
            <Link to={labelsOf(chosen, filter)} className={buttonClass('secondary', 'sm')}>
              Print labels
            </Link>
          )}
          <Button look="quiet-danger" size="sm" onClick={() => onEdit('remove')}>
            Take out
          </Button>
          <Button size="sm" onClick={() => onEdit('edit')}>
            Edit
          </Button>
        </>
      )}
    </div>
  );
};
