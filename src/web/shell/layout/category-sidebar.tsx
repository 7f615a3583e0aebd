import { useId } from 'react';
import { NavLink, useRevalidator } from 'react-router';
import { Button } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { useCategories, useCategoriesMissing } from '#web/shell/data/categories.ts';
import { SignOutButton } from './sign-out.tsx';

const linkClass = ({ isActive }: { isActive: boolean }): string =>
  classes(
    'block rounded-field border-l-2 px-3 py-2 text-sm',
    isActive ? 'border-primary bg-primary/10 font-semibold text-primary' : 'border-transparent hover:bg-base-300/50',
  );

/** In the place of the categories when they could not be loaded. */
const Missing = () => {
  const { revalidate, state } = useRevalidator();
  return (
    <li className="flex flex-col items-start gap-2 px-3 py-2 text-sm">
      <p role="alert">The categories could not be loaded.</p>
      <Button look="secondary" size="sm" busy={state === 'loading'} onClick={() => void revalidate()}>
        Try again
      </Button>
    </li>
  );
};

/** The categories as links, All first, and a Logout entry for whoever is signed in. */
export const CategorySidebar = () => {
  const titleId = useId();
  const isMissing = useCategoriesMissing();
  return (
    <nav aria-labelledby={titleId}>
      <h2 id={titleId} className="mb-2 px-3 font-serif text-lg font-semibold">
        Books Category
      </h2>
      <ul className="flex flex-col gap-0.5">
        <li>
          <NavLink to="/categories" className={linkClass}>
            All
          </NavLink>
        </li>
        {isMissing && <Missing />}
        {useCategories().map((category) => (
          <li key={category.category_id}>
            <NavLink to={`/category/${encodeURIComponent(category.category_id)}`} className={linkClass}>
              {category.category_name}
            </NavLink>
          </li>
        ))}
        <li className="mt-2 hidden border-t border-base-300 pt-2 signed-in:block">
          <SignOutButton look="quiet" size="sm" className="w-full justify-start px-3 font-normal">
            Logout
          </SignOutButton>
        </li>
      </ul>
    </nav>
  );
};
