import { useLocation } from 'react-router';
import { buttonClass } from '#web/ui/button.tsx';
import { Avatar } from './avatar.tsx';
import { CategorySidebar } from './category-sidebar.tsx';
import { Drawer } from './drawer.tsx';
import { HomeLink } from './logo.tsx';
import { isWithin, PLACES } from './places.ts';
import { useSignInPath } from '#web/shell/data/sign-in-path.ts';
import { SignOutButton } from './sign-out.tsx';
import { ThemeToggle } from '#web/shell/theme/theme-toggle.tsx';

/** The id the menu button points at. */
export const MENU_ID = 'menu';

/** The menu of small screens: all that the header of wide ones holds, and the categories. */
export const MenuPanel = () => {
  const signInPath = useSignInPath();
  const { pathname } = useLocation();
  return (
    <Drawer id={MENU_ID} side="right" head={<HomeLink />}>
      <nav aria-label="Menu">
        <ul className="menu-places flex flex-col gap-0.5">
          {PLACES.map((place) => (
            <li key={place.to}>
              <a href={place.to} aria-current={isWithin(pathname, place.to)}>
                {place.label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="my-4 flex items-center gap-3">
        <Avatar />
        <SignOutButton look="secondary" className="hidden flex-1 signed-in:inline-flex" />
        <a href={signInPath} className={buttonClass('primary', 'md', 'flex-1 signed-in:hidden')}>
          Sign In
        </a>
        <ThemeToggle />
      </div>
      <div className="border-t border-base-300 pt-4">
        <CategorySidebar />
      </div>
    </Drawer>
  );
};
