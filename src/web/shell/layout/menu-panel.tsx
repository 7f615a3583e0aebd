import { Link, NavLink } from 'react-router';
import { buttonClass } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { Avatar } from './avatar.tsx';
import { CategorySidebar } from './category-sidebar.tsx';
import { Drawer } from './drawer.tsx';
import { HomeLink } from './logo.tsx';
import { PLACES } from './places.ts';
import { useSignInPath } from '#web/shell/data/sign-in-path.ts';
import { SignOutButton } from './sign-out.tsx';
import { ThemeToggle } from '#web/shell/theme/theme-toggle.tsx';

/** The id the menu button points at. */
export const MENU_ID = 'menu';

const placeClass = ({ isActive }: { isActive: boolean }): string =>
  classes(
    'block rounded-field px-3 py-2.5 font-medium',
    isActive ? 'bg-primary/10 text-primary' : 'hover:bg-base-300/50',
  );

/** The menu of small screens: all that the header of wide ones holds, and the categories. */
export const MenuPanel = () => {
  const signInPath = useSignInPath();
  return (
    <Drawer id={MENU_ID} side="right" head={<HomeLink />}>
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
      <div className="my-4 flex items-center gap-3">
        <Avatar />
        <SignOutButton look="secondary" className="hidden flex-1 signed-in:inline-flex" />
        <Link to={signInPath} className={buttonClass('primary', 'md', 'flex-1 signed-in:hidden')}>
          Sign In
        </Link>
        <ThemeToggle />
      </div>
      <div className="border-t border-base-300 pt-4">
        <CategorySidebar />
      </div>
    </Drawer>
  );
};
