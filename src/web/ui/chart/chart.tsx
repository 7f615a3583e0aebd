import type { ReactNode } from 'react';
import { classes } from '#web/ui/classes.ts';
import { Drawing } from './drawing.tsx';

export interface ChartColumn<Row> {
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers and prices sit at the end of their column. */
  readonly end?: boolean;
}

export interface ChartTable<Row> {
  /** What the table lists, for screen readers. */
  readonly caption: string;
  readonly columns: readonly ChartColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
}

/** A few columns of figures, close together. */
export const Figures = <Row,>({ caption, columns, rows, rowKey }: ChartTable<Row>) => (
  <table className="w-full text-left text-sm">
    <caption className="sr-only">{caption}</caption>
    <thead>
      <tr className="border-b border-base-300 text-muted">
        {columns.map(({ header, end }) => (
          <th key={header} scope="col" className={classes('py-1.5 font-normal not-last:pe-3', end && 'text-end')}>
            {header}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={rowKey(row)} className="border-b border-base-300 last:border-b-0">
          {columns.map(({ header, end, cell }) => (
            <td key={header} className={classes('py-1.5 not-last:pe-3', end && 'text-end')}>
              {cell(row)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

/** A drawing with what it shows as a table behind it. */
export const Chart = ({ svg, table, children }: { svg: string; table: ReactNode; children?: ReactNode }) => (
  <figure className="max-w-2xl rounded-box border border-base-300 bg-base-100 p-4">
    <Drawing svg={svg} />
    {children !== undefined && <figcaption className="mt-3 text-sm text-muted">{children}</figcaption>}
    <details className="mt-2">
      <summary className="min-h-6 py-1 text-sm font-medium">As a table</summary>
      <div className="mt-3">{table}</div>
    </details>
  </figure>
);
