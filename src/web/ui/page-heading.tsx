import type { ReactNode } from 'react';

/** The heading of a page in the dashboard, with a line under it and what can be done beside it. */
export const PageHeading = ({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) => (
  <div className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
    <div>
      <h1 className="font-serif text-3xl font-semibold">{title}</h1>
      {children !== undefined && <p className="mt-1 max-w-prose text-muted">{children}</p>}
    </div>
    {action}
  </div>
);
