import { useLocation } from 'react-router';
import { buttonClass } from '#web/ui/button.tsx';
import { MenuIcon } from '#web/ui/icons.tsx';
import { Avatar } from './avatar.tsx';
import { HomeLink } from './logo.tsx';
import { MenuPanel, MENU_ID } from './menu-panel.tsx';
import { isWithin, PLACES } from './places.ts';
import { useSignInPath } from '#web/shell/data/sign-in-path.ts';
import { SearchBox } from '#web/shell/search/search-box.tsx';
import { SignOutButton } from './sign-out.tsx';
import { ThemeToggle } from '#web/shell/theme/theme-toggle.tsx';

/** Logo, places, theme, and who is signed in. The same markup for everyone: CSS shows what fits the session. */
export const Header = () => {
  const signInPath = useSignInPath();
  const { pathname } = useLocation();
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
          <ul className="places flex items-center gap-1">
            {PLACES.map((place) => (
              <li key={place.to}>
                <a href={place.to} aria-current={isWithin(pathname, place.to)}>
                  {place.label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <ThemeToggle />
        {/* Filled by the dashboard alone: public pages are the same for everyone. */}
        <span id="bell" className="empty:hidden" />
        <Avatar />
        <SignOutButton look="secondary" size="sm" className="hidden lg:signed-in:inline-flex" />
        <a href={signInPath} className={buttonClass('primary', 'sm', 'signed-in:hidden max-lg:hidden')}>
          Sign In
        </a>
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
