import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import { Drawing } from './drawing.tsx';
import { Table, type TableProps } from './table.tsx';

/** Columns that have room beside each other on a phone. */
const FEW = 3;

/** A table of a few columns of figures, close together. */
const SmallTable = <Row,>({ caption, columns, rows, rowKey }: TableProps<Row>) => (
  <table className="w-full text-left text-sm">
    <caption className="sr-only">{caption}</caption>
    <thead>
      <tr className="border-b border-base-300 text-muted">
        {columns.map(({ header, end }) => (
          <th key={header} scope="col" className={classes('py-1.5 font-normal', end && 'text-end')}>
            {header}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row, at) => (
        <tr key={rowKey(row)} className="border-b border-base-300 last:border-b-0">
          {columns.map(({ header, end, cell }) => (
            <td key={header} className={classes('py-1.5', end && 'text-end')}>
              {cell(row, at)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

/** A drawing with what it shows as a table behind it. */
export const Chart = <Row,>({
  svg,
  table,
  children,
}: {
  svg: string;
  table: TableProps<Row>;
  children?: ReactNode;
}) => (
  <figure className="max-w-2xl rounded-box border border-base-300 bg-base-100 p-4">
    <Drawing svg={svg} />
    {children !== undefined && <figcaption className="mt-3 text-sm text-muted">{children}</figcaption>}
    <details className="mt-2">
      <summary className="min-h-6 py-1 text-sm font-medium">As a table</summary>
      <div className="mt-3">{table.columns.length <= FEW ? <SmallTable {...table} /> : <Table {...table} />}</div>
    </details>
  </figure>
);
