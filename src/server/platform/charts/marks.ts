import { formatDate } from '#contract/time.ts';
import { escape } from '#server/platform/escape.ts';

type Attributes = Readonly<Record<string, string | number>>;

const rounded = (value: string | number): string | number =>
  typeof value === 'number' ? Math.round(value * 100) / 100 : value;

/** An element of SVG around `inside`, which is markup. */
export const element = (name: string, attributes: Attributes, inside = ''): string =>
  `<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escape(String(rounded(value)))}"`)
    .join('')}>${inside}</${name}>`;

/** A share of the width of a drawing. */
export const percent = (share: number): string => `${rounded(share)}%`;

/**
 * The colours of the theme that the page has: as attributes, because the policy of the pages allows no styles of a
 * drawing's own.
 */
export const INK = {
  text: 'currentColor',
  quiet: 'var(--muted)',
  mark: 'var(--color-primary)',
  rule: 'var(--color-base-300)',
};

/** Letters are as large on a phone as on a desk: nothing of a drawing is scaled. */
const LETTERS = 12;

/** A line of text at `x` (a share of the width), on the base line `y` (pixels). */
export const words = (text: string, { x, y, ...more }: { x: number; y: number } & Attributes): string =>
  element('text', { x: percent(x), y, 'font-size': LETTERS, fill: INK.quiet, ...more }, escape(text));

/** A thin line across, from `x` (a share of the width) to the right edge. */
export const rule = (y: number, x = 0): string =>
  element('line', { x1: percent(x), x2: '100%', y1: y, y2: y, stroke: INK.rule });

/** An upright mark with a name that is shown when it is pointed at. */
export const upright = (
  { x, width, top, height }: { x: number; width: number; top: number; height: number },
  name: string,
): string =>
  element(
    'rect',
    { x: percent(x), y: top, width: percent(width), height, rx: 2, fill: INK.mark },
    element('title', {}, escape(name)),
  );

/**
 * A drawing as wide as its place and as high as it says, so that nothing moves when it comes. `name` says in a sentence
 * what it shows.
 */
export const drawing = (name: string, height: number, ...marks: readonly string[]): string =>
  element('svg', { role: 'img', 'aria-label': name, width: '100%', height }, marks.join(''));

/** A day, given as `2026-11-23`, under a mark: `Nov 23`. */
export const dayLabel = (day: string): string => formatDate(day, 'UTC').replace(/,.*$/, '');

/** A month, given as `2026-11`, under a mark: `Nov 2026`. */
export const monthLabel = (month: string): string => formatDate(month, 'UTC').replace(/ \d+,/, '');
