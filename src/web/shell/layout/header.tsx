import { Link, NavLink } from 'react-router';
import { buttonClass } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { MenuIcon } from '#web/ui/icons.tsx';
import { Avatar } from './avatar.tsx';
import { HomeLink } from './logo.tsx';
import { MenuPanel, MENU_ID } from './menu-panel.tsx';
import { PLACES } from './places.ts';
import { useSignInPath } from '#web/shell/data/sign-in-path.ts';
import { SearchBox } from './search-box.tsx';
import { SignOutButton } from './sign-out.tsx';
import { ThemeToggle } from '#web/shell/theme/theme-toggle.tsx';

const placeClass = ({ isActive }: { isActive: boolean }): string =>
  classes(
    'rounded-field px-3 py-2 text-sm font-medium',
    isActive ? 'text-primary underline decoration-2 underline-offset-8' : 'hover:bg-base-300/50',
  );

/** Logo, places, theme, and who is signed in. The same markup for everyone: CSS shows what fits the session. */
export const Header = () => {
  const signInPath = useSignInPath();
  return (
    <header className="print:hidden border-b border-base-300 bg-base-100">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-base-100 focus:p-3 focus:text-primary"
      >
        Skip to content
      </a>
      <div className="page flex min-h-16 flex-wrap items-center gap-x-2 lg:flex-nowrap">
        <HomeLink className="mr-auto lg:mr-6" />
        <SearchBox className="hidden max-w-xl flex-1 lg:block" />
        <nav aria-label="Main" className="ml-auto hidden lg:block">
          <ul className="flex items-center gap-1">
            {PLACES.map((place) => (
              <li key={place.to}>
                <NavLink to={place.to} className={placeClass}>
                  {place.label}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <ThemeToggle />
        <Avatar />
        <SignOutButton look="secondary" size="sm" className="hidden lg:signed-in:inline-flex" />
        <Link to={signInPath} className={buttonClass('primary', 'sm', 'signed-in:hidden max-lg:hidden')}>
          Sign In
        </Link>
        <button type="button" className="btn btn-circle btn-ghost lg:hidden" aria-label="Menu" popoverTarget={MENU_ID}>
          <MenuIcon className="size-6" />
        </button>
      </div>
      <div className="page pb-3 lg:hidden">
        <SearchBox />
      </div>
      <MenuPanel />
    </header>
  );
};
