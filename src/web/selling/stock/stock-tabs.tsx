import { NavLink } from 'react-router';
import { classes } from '#web/ui/classes.ts';

const PLACES = [
  ['/dashboard/stock', 'Files'],
  ['/dashboard/stock/copies', 'All copies'],
  ['/dashboard/stock/programs', 'Programs'],
] as const;

/** The places of a seller's stock. */
export const StockTabs = () => (
  <nav aria-label="Stock" className="mb-6 flex gap-1 border-b border-base-300">
    {PLACES.map(([to, name]) => (
      <NavLink
        key={to}
        to={to}
        end
        className={({ isActive }) =>
          classes(
            '-mb-px flex min-h-11 items-center border-b-2 px-4 font-semibold',
            isActive ? 'border-primary' : 'border-transparent text-muted hover:text-base-content',
          )
        }
      >
        {name}
      </NavLink>
    ))}
  </nav>
);
