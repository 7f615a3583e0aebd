import type { ReactNode } from 'react';
import { Drawing } from './drawing.tsx';
import { Table, type TableProps } from './table.tsx';

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
      <div className="mt-3">
        <Table {...table} />
      </div>
    </details>
  </figure>
);
