import { expect, test } from 'vitest';
import { drawBars } from './bars.ts';
import { dayLabel, monthLabel } from './marks.ts';
import { drawRanges } from './ranges.ts';

const numbersOf = (svg: string, element: string, attribute: string): number[] =>
  [...svg.matchAll(new RegExp(`<${element} [^>]*?\\b${attribute}="([\\d.-]+)`, 'g'))].map(([, value]) => Number(value));

test('bars are as high as what they stand for, below the line where that is below nothing, and none for nothing', () => {
  const row = { title: 'Earned', note: '', write: String };
  const svg = drawBars({
    name: 'x',
    labels: ['a', 'b', 'c', 'd'],
    last: 'now',
    rows: [{ ...row, values: [2, 4, 0, -4] }],
  });
  const heights = numbersOf(svg, 'rect', 'height');
  expect(heights).toHaveLength(3);
  expect(heights[1]).toBeCloseTo(2 * (heights[0] ?? 0), 1);
  const tops = numbersOf(svg, 'rect', 'y');
  expect(tops[2]).toBeCloseTo((tops[1] ?? 0) + (heights[1] ?? 0), 1);
});

test('nothing but nothing has no bars and no scale', () => {
  const row = { title: 'Disputes', note: '0', write: String, values: [0, 0] };
  const svg = drawBars({ name: 'x', labels: ['a', 'b'], last: 'now', rows: [row] });
  expect(svg).not.toContain('<rect');
  expect(svg).not.toMatch(/NaN|Infinity/);
});

test('ranges stand where they belong, one price has a mark too, and what is not known stays empty', () => {
  const ranges = [{ low: 400, high: 900 }, undefined, { low: 900, high: 900 }];
  const svg = drawRanges({ name: 'x', labels: ['a', 'b', 'c'], ranges, write: String });
  const [tall = 0, flat = 0, ...more] = numbersOf(svg, 'rect', 'height');
  expect([more.length, flat > 0, tall > flat]).toEqual([0, true, true]);
});

test('what is written is text', () => {
  const svg = drawRanges({ name: '"><script>', labels: ['<b>'], ranges: [{ low: 1, high: 2 }], write: () => "<'&" });
  expect(svg).not.toMatch(/<(script|b)>|<'/);
  expect([dayLabel('2026-11-02'), monthLabel('2026-11')]).toEqual(['Nov 2', 'Nov 2026']);
});
