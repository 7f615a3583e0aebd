import { Link } from 'react-router';
import { formatDollars } from '#contract/money/money.ts';
import type { StockCopy } from '#contract/stock/stock-copies.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { BookLead } from '#web/ui/table/book-lead.tsx';
import type { Column } from '#web/ui/table/table.tsx';
import { SoldElsewhere } from './sold-elsewhere.tsx';

export const STANDING: Record<StockCopy['standing'], readonly [words: string, look: string]> = {
  there: ['', ''],
  available: ['For sale', 'border-success/50 text-success'],
  held: ['On hold', 'border-warning/50 text-warning'],
  paused: ['Paused', 'border-info/50 text-info'],
  sold: ['Sold here', 'border-base-300 text-muted'],
  elsewhere: ['Sold elsewhere', 'border-base-300 text-muted'],
};

/** Where a copy stands, as a badge. */
export const Standing = ({ copy: { standing } }: { copy: StockCopy }) => {
  const [words, look] = STANDING[standing];
  return <span className={classes('badge bg-transparent whitespace-nowrap', look)}>{words}</span>;
};

/** Free for its seller to change. */
export const isFree = ({ standing }: StockCopy): boolean => standing === 'available' || standing === 'paused';

/** Longer ones are broken where the table has no room. */
const SHORT_SKU = 10;

interface Deeds {
  readonly isChosen: (id: string) => boolean;
  /** `isFar`: with all between it and the one that was pressed before. */
  readonly onPress: (id: string, isOn: boolean, isFar: boolean) => void;
  readonly onDone: (copy: StockCopy) => void;
}

export const columns = ({ isChosen, onPress, onDone }: Deeds): readonly Column<StockCopy>[] => [
  {
    header: 'Title',
    lead: true,
    sort: { up: 'title-up', down: 'title-down' },
    cell: (copy) => (
      <div className="flex min-w-0 items-center">
        <label className="-ml-3 flex size-11 shrink-0 cursor-pointer items-center justify-center">
          <input
            type="checkbox"
            className="size-5 accent-primary"
            aria-label={`Choose ${copy.title}`}
            checked={isChosen(copy._id)}
            onChange={(event) =>
              onPress(copy._id, event.target.checked, (event.nativeEvent as MouseEvent).shiftKey === true)
            }
          />
        </label>
        <BookLead
          book={copy}
          title={copy.title}
          line={[copy.authors, copy.category_name].filter((part) => part !== '').join(' · ')}
        />
      </div>
    ),
  },
  {
    header: 'SKU',
    sort: { up: 'sku-up', down: 'sku-down' },
    isEmpty: ({ sku }) => sku === '',
    cell: ({ sku }) => <span className={sku.length > SHORT_SKU ? 'wrap-anywhere' : 'whitespace-nowrap'}>{sku}</span>,
  },
  {
    header: 'Shelf',
    sort: { up: 'shelf-up', down: 'shelf-down' },
    isEmpty: ({ shelf }) => shelf === '',
    cell: ({ shelf }) => shelf,
  },
  { header: 'Condition', cell: ({ condition }) => condition },
  {
    header: 'Paid',
    end: true,
    isEmpty: ({ cost }) => cost === null,
    cell: ({ cost }) => <span className="tabular-nums">{cost === null ? '' : formatDollars(cost)}</span>,
  },
  {
    header: 'Price',
    end: true,
    brief: true,
    sort: { up: 'price-up', down: 'price-down' },
    cell: ({ price }) => <span className="tabular-nums">{formatDollars(price)}</span>,
  },
  { header: 'Status', end: true, brief: true, cell: (copy) => <Standing copy={copy} /> },
  {
    header: 'Actions',
    end: true,
    quiet: true,
    cell: (copy) => (
      <div className="flex flex-1 flex-wrap gap-2 sm:flex-nowrap sm:justify-end sm:gap-1">
        {isFree(copy) && (
          <Link to={`/dashboard/edit_product/${copy._id}`} className={buttonClass('secondary', 'sm')}>
            Edit<span className="sr-only"> {copy.title}</span>
          </Link>
        )}
        <SoldElsewhere copy={copy} onDone={onDone} />
      </div>
    ),
  },
];
