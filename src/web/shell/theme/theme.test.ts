import { beforeEach, afterEach, describe, expect, it, vi } from 'vitest';
import { readFileSync } from 'node:fs';
import { HEAD_SCRIPT } from './head-script.ts';
import { THEME_COLORS } from './theme-colors.ts';

const stored = new Map<string, string>();
const metas: { name: string; content: string }[] = [];
const head = { prepend: (meta: (typeof metas)[number]) => metas.unshift(meta) };
const root = { dataset: {} as Record<string, string> };

/** What the browser does with a page before it shows it. */
const load = (): void => {
  root.dataset = {};
  metas.splice(0, metas.length, { name: 'theme-color', content: THEME_COLORS.light });
  // oxlint-disable-next-line no-new-func -- the script stands in the page as text, and is run as it stands there
  new Function(HEAD_SCRIPT)();
};

const toggle = async (): Promise<void> => (await import('./theme.ts')).toggleTheme();

beforeEach(() => {
  stored.clear();
  vi.stubGlobal('document', {
    documentElement: root,
    head,
    createElement: () => ({ name: '', content: '' }),
    querySelector: () => ({ setAttribute: (_: string, content: string) => Object.assign(metas[0] ?? {}, { content }) }),
  });
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

  it('colours what a phone paints around the page as the header', async () => {
    load();
    expect(metas[0]?.content).toBe(THEME_COLORS.light);
    await toggle();
    expect(metas[0]?.content).toBe(THEME_COLORS.dark);
    stored.set('theme', 'dark');
    load();
    expect(metas[0]?.content).toBe(THEME_COLORS.dark);
    const styles = readFileSync(new URL('../../app.css', import.meta.url), 'utf8');
    expect([...styles.matchAll(/--color-base-100: (#\w{6});/g)].map(([, color]) => color)).toEqual([
      THEME_COLORS.light,
      THEME_COLORS.dark,
    ]);
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

describe('the first page of a visit', () => {
  it('leaves what is far down until somebody moves, and no later page does', () => {
    const moved: Record<string, () => void> = {};
    vi.stubGlobal('addEventListener', (kind: string, listener: () => void) => (moved[kind] = listener));
    vi.stubGlobal('sessionStorage', { length: 0 });
    load();
    expect(root.dataset['first']).toBe('');
    moved['scroll']?.();
    expect(root.dataset).not.toHaveProperty('first');
    vi.stubGlobal('sessionStorage', { length: 1 });
    load();
    expect(root.dataset).not.toHaveProperty('first');
  });
});
