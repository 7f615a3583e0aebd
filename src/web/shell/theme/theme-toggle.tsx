import { MoonIcon, SunIcon } from '#web/ui/icons.tsx';
import { toggleTheme, useTheme } from './theme.ts';

/** Switches between light and dark; which icon shows is decided by CSS, so that it is right before hydration. */
export const ThemeToggle = () => {
  const theme = useTheme();
  return (
    <button
      type="button"
      className="btn btn-circle border-transparent bg-transparent shadow-none hover:bg-base-300/50"
      aria-label={theme === 'dark' ? 'Switch to the light theme' : 'Switch to the dark theme'}
      onClick={toggleTheme}
    >
      <SunIcon className="hidden size-5 dark:block" />
      <MoonIcon className="size-5 dark:hidden" />
    </button>
  );
};
