import { beforeEach, afterEach, describe, expect, it, vi } from 'vitest';
import { HEAD_SCRIPT } from './head-script.ts';

const stored = new Map<string, string>();
const root = { dataset: {} as Record<string, string> };

/** What the browser does with a page before it shows it. */
const load = (): void => {
  root.dataset = {};
  // oxlint-disable-next-line no-new-func -- the script stands in the page as text, and is run as it stands there
  new Function(HEAD_SCRIPT)();
};

const toggle = async (): Promise<void> => (await import('./theme.ts')).toggleTheme();

beforeEach(() => {
  stored.clear();
  vi.stubGlobal('document', { documentElement: root });
  vi.stubGlobal('window', {});
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

describe('the theme', () => {
  it('starts light', () => {
    load();
    expect(root.dataset['theme']).toBe('light');
  });

  it('is on load the saved one', () => {
    stored.set('theme', 'dark');
    load();
    expect(root.dataset['theme']).toBe('dark');
  });

  it('goes from light to dark, and dark is saved', async () => {
    load();
    await toggle();
    expect([root.dataset['theme'], [...stored]]).toEqual(['dark', [['theme', 'dark']]]);
  });

  it('goes from dark to light, and what was saved is removed', async () => {
    stored.set('theme', 'dark');
    load();
    await toggle();
    expect([root.dataset['theme'], [...stored]]).toEqual(['light', []]);
  });
});
