import { formatDollars } from '#contract/money/money.ts';
import { RULED_OUT, type Want } from '#contract/wants/wants.ts';

/** What a want asks for beside the book, in one line; `""` where any copy will do. */
export const asksOf = ({ max_price: max, condition, near, km, without }: Want): string =>
  [
    ...(max === null ? [] : [`up to ${formatDollars(max)}`]),
    ...(condition === null ? [] : [condition === 'Excellent' ? 'Excellent only' : `${condition} or better`]),
    ...(near === '' ? [] : [`within ${km} km of ${near}`]),
    ...RULED_OUT.flatMap(([id, name]) => (without.includes(id) ? [`no ${name.toLowerCase()}`] : [])),
  ].join(', ');

/** The book that a want is about. */
export const bookOf = ({ title, isbn13 }: Pick<Want, 'title' | 'isbn13'>): string =>
  title === '' ? `ISBN ${isbn13}` : title;
