import { useState, type ReactNode } from 'react';
import { classes } from '#web/ui/classes.ts';
import { ColumnMenu, columnKey, type Choosing } from './column-menu.tsx';
import { HeadCell, SortSelect, type ColumnSort, type Sorting } from './sorting.tsx';
import { ChevronIcon } from './table-icons.tsx';

export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row, index: number) => ReactNode;
  /** Numbers and prices sit at the end of their column. */
  readonly end?: boolean;
  /** A column of buttons or pictures: its header is read out but not shown. */
  readonly quiet?: boolean;
  /** What the row is about: at the head of the phone's row, without its header. It is never left out. */
  readonly lead?: boolean;
  /** The quiet line under the lead of the phone's row; one column at most. */
  readonly under?: boolean;
  /** Stays at the end of the phone's row; two columns at most. What is none of these opens with the row. */
  readonly brief?: boolean;
  /** The orders that its header sorts by. */
  readonly sort?: ColumnSort;
  /** Whether a row has nothing to say here: where none has, the others get the room. */
  readonly isEmpty?: (row: Row) => boolean;
}

export interface TableProps<Row> {
  /** What the table lists, for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** What the button that opens a row on a phone calls it. */
  nameOf: (row: Row) => string;
  /** The orders that the list can be read in. */
  sorting?: Sorting;
  /** Which columns are left out at a desk. */
  choosing?: Choosing;
}

const placeOf = ({ lead, under, brief }: Column<never>): 'lead' | 'under' | 'brief' | undefined =>
  lead === true ? 'lead' : under === true ? 'under' : brief === true ? 'brief' : undefined;

interface RowProps<Row> extends Pick<TableProps<Row>, 'columns' | 'nameOf'> {
  row: Row;
  index: number;
  left: (column: Column<Row>) => boolean;
}

const TableRow = <Row,>({ row, index, columns, nameOf, left }: RowProps<Row>) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <tr role="row" data-open={isOpen ? '' : undefined}>
      {columns.map((column) => (
        <td
          key={column.header}
          role="cell"
          data-place={placeOf(column)}
          className={classes(column.end && 'sm:text-end', left(column) && 'sm:hidden') || undefined}
        >
          {column.quiet !== true && column.lead !== true && (
            <span className="cell-label" aria-hidden="true">
              {column.header}
            </span>
          )}
          {column.cell(row, index)}
          {column.lead === true && (
            <button
              type="button"
              className="row-more"
              aria-expanded={isOpen}
              aria-label={`Show more of ${nameOf(row)}`}
              onClick={() => setOpen(!isOpen)}
            >
              <ChevronIcon />
            </button>
          )}
        </td>
      ))}
    </tr>
  );
};

/** Columns are worth choosing from where there are more than these. */
const FEW_COLUMNS = 4;

/**
 * A table with dense rows and a head that stays in sight. Below 640 px each row is one line: what it is about, and one
 * or two facts; the rest opens with a button. Roles are named because CSS takes them away (table.css).
 */
export const Table = <Row,>({ caption, rows, rowKey, nameOf, sorting, choosing, ...table }: TableProps<Row>) => {
  const columns = table.columns.filter(({ isEmpty }) => isEmpty === undefined || !rows.every((row) => isEmpty(row)));
  const choices = columns.filter(({ lead, quiet }) => lead !== true && quiet !== true);
  const left = ({ header, lead, quiet }: Column<Row>): boolean =>
    lead !== true && quiet !== true && choosing?.hidden.includes(columnKey(header)) === true;
  const isChosen = choosing !== undefined && columns.length > FEW_COLUMNS;
  return (
    <>
      {(sorting !== undefined || isChosen) && (
        <div className="mb-2 flex justify-end">
          {sorting !== undefined && <SortSelect sorting={sorting} />}
          {isChosen && <ColumnMenu headers={choices.map(({ header }) => header)} choosing={choosing} />}
        </div>
      )}
      <div className="list-table" data-briefs={columns.filter(({ brief }) => brief).length}>
        <table role="table" aria-busy={sorting?.busy === true || undefined}>
          <caption className="sr-only">{caption}</caption>
          <thead role="rowgroup">
            <tr role="row">
              {columns.map((column) => (
                <HeadCell
                  key={column.header}
                  header={column.header}
                  isQuiet={column.quiet === true}
                  sort={column.sort}
                  sorting={sorting}
                  className={classes(column.end && 'text-end', left(column) && 'sm:hidden') || undefined}
                />
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {rows.map((row, index) => (
              <TableRow key={rowKey(row)} row={row} index={index} columns={columns} nameOf={nameOf} left={left} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
};
