import { useId } from 'react';
import { useLocation, useRevalidator } from 'react-router';
import { Button } from '#web/ui/button.tsx';
import { useCategories, useCategoriesMissing } from '#web/shell/data/categories.ts';
import { isWithin } from './places.ts';
import { SignOutButton } from './sign-out.tsx';

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
  const { pathname } = useLocation();
  return (
    <nav aria-labelledby={titleId}>
      <h2 id={titleId} className="mb-2 px-3 font-serif text-lg font-semibold">
        Books Category
      </h2>
      <ul className="category-list flex flex-col gap-0.5">
        <li>
          <a href="/categories" aria-current={isWithin(pathname, '/categories')}>
            All
          </a>
        </li>
        {isMissing && <Missing />}
        {useCategories().map((category) => {
          const to = `/category/${encodeURIComponent(category.category_id)}`;
          return (
            <li key={category.category_id}>
              <a href={to} aria-current={isWithin(pathname, to)}>
                {category.category_name}
              </a>
            </li>
          );
        })}
        <li className="mt-2 hidden border-t border-base-300 pt-2 signed-in:block">
          <SignOutButton look="quiet" size="sm" className="w-full justify-start px-3 font-normal">
            Logout
          </SignOutButton>
        </li>
      </ul>
    </nav>
  );
};
