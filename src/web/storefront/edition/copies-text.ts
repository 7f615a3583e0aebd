import { formatCount } from '#contract/count.ts';
import { formatDollars } from '#contract/money/money.ts';

/** "3 copies from $4.50". */
export const copiesText = (count: number, from: number): string =>
  count === 1 ? `1 copy for ${formatDollars(from)}` : `${formatCount(count)} copies from ${formatDollars(from)}`;
