import { useSyncExternalStore } from 'react';
import { THEME_COLORS } from './theme-colors.ts';

export type Theme = 'light' | 'dark';

const KEY = 'theme';
const listeners = new Set<() => void>();

const themeNow = (): Theme => (document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light');
const themeOnServer = (): Theme => 'light';

const show = (theme: Theme): void => {
  document.documentElement.dataset['theme'] = theme;
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', THEME_COLORS[theme]);
  for (const listener of listeners) listener();
};

const onStorage = (event: StorageEvent): void => {
  if (event.key === KEY || event.key === null) show(event.newValue === 'dark' ? 'dark' : 'light');
};

const subscribe = (listener: () => void): (() => void) => {
  if (listeners.size === 0) addEventListener('storage', onStorage);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) removeEventListener('storage', onStorage);
  };
};

/** The theme on show; light until the browser says otherwise. */
export const useTheme = (): Theme => useSyncExternalStore(subscribe, themeNow, themeOnServer);

/** Goes to the other theme. Dark is saved; going back to light removes what was saved. */
export const toggleTheme = (): void => {
  const next = themeNow() === 'dark' ? 'light' : 'dark';
  show(next);
  try {
    if (next === 'dark') localStorage.setItem(KEY, next);
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
};
