import { scaleBand, scaleLinear } from 'd3-scale';
import { drawing, rule, upright, words } from './marks.ts';

export interface Ranges {
  /** What it shows, in a sentence. */
  readonly name: string;
  /** What stands beside each other, from left to right. */
  readonly labels: readonly string[];
  /** From where to where; undefined leaves its place empty. */
  readonly ranges: readonly ({ readonly low: number; readonly high: number } | undefined)[];
  readonly write: (value: number) => string;
}

const TOP_PX = 18;
const PLOT_PX = 120;
const HEIGHT_PX = TOP_PX + PLOT_PX + 20;
/** For what the lines stand for, at the left of the marks: enough for `$1,000` on the narrowest phone. */
const LEFT = 15;
/** One price is to be seen too. */
const LEAST_PX = 4;

/** Ranges beside each other on one scale that begins with nothing, as SVG. */
export const drawRanges = ({ name, labels, ranges, write }: Ranges): string => {
  const across = scaleBand(labels, [LEFT, 100]).paddingInner(0.3);
  const most = Math.max(1, ...ranges.map((range) => range?.high ?? 0));
  const up = scaleLinear([0, most], [TOP_PX + PLOT_PX, TOP_PX]).nice(3);
  const marks = ranges.flatMap((range, at) => {
    const label = labels[at] ?? '';
    if (range === undefined) return [];
    const [top, bottom] = [up(range.high), up(range.low)];
    const height = Math.max(LEAST_PX, bottom - top);
    const place = { x: across(label) ?? 0, width: across.bandwidth(), top: (top + bottom - height) / 2, height };
    const said = range.low === range.high ? write(range.low) : `${write(range.low)} to ${write(range.high)}`;
    return [upright(place, `${label}: ${said}`)];
  });
  return drawing(
    name,
    HEIGHT_PX,
    ...up.ticks(3).flatMap((tick) => [rule(up(tick), LEFT), words(write(tick), { x: 0, y: up(tick) + 4 })]),
    ...marks,
    words(labels[0] ?? '', { x: LEFT, y: HEIGHT_PX - 4 }),
    words(labels.at(-1) ?? '', { x: 100, y: HEIGHT_PX - 4, 'text-anchor': 'end' }),
  );
};
