import type { ReactNode } from 'react';
import { classes } from './classes.ts';

export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row, index: number) => ReactNode;
  /** Numbers and prices sit at the end of their column. */
  readonly end?: boolean;
  /** A column of buttons or pictures: its header is read out but not shown. */
  readonly quiet?: boolean;
  /** What the row is about: at the head of its card, without its header. */
  readonly lead?: boolean;
}

export interface TableProps<Row> {
  /** What the table lists, for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
}

/**
 * A table from 640 px; below that each row is a card with the headers as labels. Roles are named because CSS takes them
 * away.
 */
export const Table = <Row,>({ caption, columns, rows, rowKey }: TableProps<Row>) => (
  <div className="overflow-hidden rounded-box sm:border sm:border-base-300 sm:bg-base-100">
    <table role="table" className="block w-full text-left sm:table">
      <caption className="sr-only">{caption}</caption>
      <thead role="rowgroup" className="sr-only sm:not-sr-only sm:table-header-group">
        <tr role="row" className="border-b border-base-300 text-sm text-muted">
          {columns.map((column) => (
            <th
              key={column.header}
              role="columnheader"
              scope="col"
              className={classes('px-4 py-3', column.end && 'text-end')}
            >
              {column.quiet === true ? <span className="sr-only">{column.header}</span> : column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="flex flex-col gap-4 sm:table-row-group">
        {rows.map((row, index) => (
          <tr
            key={rowKey(row)}
            role="row"
            className="block rounded-box border border-base-300 bg-base-100 p-4 sm:table-row sm:rounded-none sm:border-0 sm:border-b sm:p-0 sm:last:border-b-0"
          >
            {columns.map((column) => (
              <td
                key={column.header}
                role="cell"
                className={classes(
                  'flex items-center justify-between gap-4 py-1.5 sm:table-cell sm:px-4 sm:py-3 sm:align-middle',
                  column.end && 'sm:text-end',
                )}
              >
                {column.quiet !== true && column.lead !== true && (
                  <span className="shrink-0 text-sm text-muted sm:hidden" aria-hidden="true">
                    {column.header}
                  </span>
                )}
                {column.cell(row, index)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
