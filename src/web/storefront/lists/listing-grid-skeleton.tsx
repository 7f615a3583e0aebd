import { Skeleton } from '#web/ui/states.tsx';
import { gridClass, type Columns } from './listing-grid.tsx';

/** The grid before its books are there. */
export const ListingGridSkeleton = ({ columns }: { columns: Columns }) => (
  <div role="status" className={gridClass(columns)}>
    <span className="sr-only">Loading books</span>
    {Array.from({ length: 6 }, (_, place) => (
      <Skeleton key={place} className="h-48 rounded-box" />
    ))}
  </div>
);
