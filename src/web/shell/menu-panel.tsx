import { useEffect, useRef } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { buttonClass } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { CloseIcon } from '#web/ui/icons.tsx';
import { CategorySidebar } from './category-sidebar.tsx';
import { PLACES } from './places.ts';
import { useSignInPath } from './sign-in-path.ts';
import { SignOutButton } from './sign-out.tsx';

/** The id the menu button points at. */
export const MENU_ID = 'menu';

const placeClass = ({ isActive }: { isActive: boolean }): string =>
  classes(
    'block rounded-field px-3 py-2.5 font-medium',
    isActive ? 'bg-primary/10 text-primary' : 'hover:bg-base-300/50',
  );

/** The menu of small screens: a native popover, so it opens without JavaScript, closes with Escape and gives focus back. */
export const MenuPanel = () => {
  const panel = useRef<HTMLDivElement>(null);
  const signInPath = useSignInPath();
  const { key } = useLocation();
  useEffect(() => {
    if (panel.current?.matches(':popover-open') === true) panel.current.hidePopover();
  }, [key]);
  return (
    <div
      ref={panel}
      id={MENU_ID}
      popover="auto"
      className="fixed inset-y-0 right-0 left-auto m-0 h-dvh max-h-none w-80 max-w-[85vw] overflow-y-auto border-l border-base-300 bg-base-100 p-4 text-base-content shadow-xl backdrop:bg-neutral/50"
    >
      <div className="mb-2 flex justify-end">
        <button
          type="button"
          className="btn btn-circle btn-ghost"
          aria-label="Close menu"
          popoverTarget={MENU_ID}
          popoverTargetAction="hide"
        >
          <CloseIcon />
        </button>
      </div>
      <nav aria-label="Menu">
        <ul className="flex flex-col gap-0.5">
          {PLACES.map((place) => (
            <li key={place.to}>
              <NavLink to={place.to} className={placeClass}>
                {place.label}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <div className="my-4 flex flex-col">
        <SignOutButton look="secondary" className="hidden signed-in:inline-flex" />
        <Link to={signInPath} className={buttonClass('primary', 'md', 'signed-in:hidden')}>
          Sign In
        </Link>
      </div>
      <div className="border-t border-base-300 pt-4">
        <CategorySidebar />
      </div>
    </div>
  );
};
