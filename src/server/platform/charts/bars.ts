import { scaleBand, scaleLinear } from 'd3-scale';
import { drawing, element, INK, percent, rule, upright, words } from './marks.ts';

/** One row of bars; each has a scale of its own. */
export interface BarRow {
  readonly title: string;
  /** Said at the other end of the title's line. */
  readonly note: string;
  readonly values: readonly number[];
  readonly write: (value: number) => string;
}

export interface Bars {
  /** What it shows, in a sentence. */
  readonly name: string;
  /** What the bars of each row stand for, from left to right. */
  readonly labels: readonly string[];
  /** What the last of them is called beside the days of the others. */
  readonly last: string;
  readonly rows: readonly BarRow[];
}

const TITLE_PX = 14;
/** Above the bars: the title, and how much the line at their top is. */
const HEAD_PX = 38;
const BARS_PX = 46;
const ROW_PX = HEAD_PX + BARS_PX + 14;
const LABELS_PX = 18;

const drawRow = ({ labels }: Bars, { title, note, values, write }: BarRow, top: number): string => {
  const across = scaleBand(labels, [0, 100]).paddingInner(0.25);
  const up = scaleLinear([Math.min(0, ...values), Math.max(0, ...values) || 1], [BARS_PX, 0]).nice(3);
  const [, most = 1] = up.domain();
  const zero = up(0);
  const marks = values.flatMap((value, at) => {
    const label = labels[at] ?? '';
    if (value === 0) return [];
    const height = Math.max(1, Math.abs(up(value) - zero));
    const place = { x: across(label) ?? 0, width: across.bandwidth(), top: value > 0 ? zero - height : zero, height };
    return [upright({ ...place, top: top + HEAD_PX + place.top }, `${label}: ${write(value)}`)];
  });
  return [
    words(title, { x: 0, y: top + TITLE_PX, fill: INK.text, 'font-weight': 600 }),
    words(note, { x: 100, y: top + TITLE_PX, 'text-anchor': 'end' }),
    ...(values.some((value) => value > 0)
      ? [words(write(most), { x: 0, y: top + HEAD_PX - 5 }), rule(top + HEAD_PX)]
      : []),
    ...marks,
    element('line', {
      x1: '0%',
      x2: percent(100),
      y1: top + HEAD_PX + zero,
      y2: top + HEAD_PX + zero,
      stroke: INK.quiet,
    }),
  ].join('');
};

/** Rows of bars over the same time, each with its own scale, as SVG. */
export const drawBars = (bars: Bars): string => {
  const { labels, last, rows, name } = bars;
  const height = rows.length * ROW_PX + LABELS_PX;
  const y = height - LABELS_PX + 4;
  const middle = Math.floor((labels.length - 1) / 2);
  const across = scaleBand(labels, [0, 100]).paddingInner(0.25);
  const label = labels[middle] ?? '';
  return drawing(
    name,
    height,
    ...rows.map((row, at) => drawRow(bars, row, at * ROW_PX)),
    words(labels[0] ?? '', { x: 0, y }),
    words(label, { x: (across(label) ?? 0) + across.bandwidth() / 2, y, 'text-anchor': 'middle' }),
    words(last, { x: 100, y, 'text-anchor': 'end' }),
  );
};
