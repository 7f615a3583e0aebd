import type { Seen } from './look-at.ts';
import type { Weight } from './weights.ts';

export const BARS = { cls: 0.02, shelfHeightPx: 5_500, shelfBytes: 75_000, shelfPackedBytes: 10_000 } as const;

/** A category of 24 copies, each with a photo. */
export interface Shelf {
  readonly seen: readonly Seen[];
  readonly weight: Weight;
}

const nameOf = ({ screen, look }: Seen): string => `${screen}, ${look.theme}, ${look.width} px`;

export const problemsOf = (seen: readonly Seen[], shelf: Shelf | undefined): string[] => [
  ...[...seen, ...(shelf?.seen ?? [])].flatMap((one) => [
    ...one.axe.map((finding) => `${nameOf(one)}: axe: ${finding}`),
    ...(one.cls >= BARS.cls
      ? [`${nameOf(one)}: CLS ${one.cls.toFixed(3)}, bar ${BARS.cls}: ${one.moved.join('; ')}`]
      : []),
    ...(one.sidewaysPx > 0 ? [`${nameOf(one)}: ${one.sidewaysPx} px wider than its window`] : []),
  ]),
  ...(shelf?.seen ?? [])
    .filter(({ look, heightPx }) => look.width === 360 && heightPx > BARS.shelfHeightPx)
    .map((one) => `${nameOf(one)}: ${one.heightPx} px high, bar ${BARS.shelfHeightPx}`),
  ...(shelf !== undefined && shelf.weight.bytes > BARS.shelfBytes
    ? [`${shelf.weight.path}: ${shelf.weight.bytes} bytes of HTML, bar ${BARS.shelfBytes}`]
    : []),
  ...(shelf !== undefined && shelf.weight.packedBytes > BARS.shelfPackedBytes
    ? [`${shelf.weight.path}: ${shelf.weight.packedBytes} bytes of HTML as sent, bar ${BARS.shelfPackedBytes}`]
    : []),
];

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

const HEADS = ['screen', 'height 360 px', 'height 1280 px', 'CLS worst', 'sideways px', 'axe'];

/** A row for each screen: its worst of all looks. */
const rowsOf = (seen: readonly Seen[]): string[] => {
  const byName = Map.groupBy(seen, ({ screen }) => screen);
  return [...byName].map(([name, looks]) => {
    const heightAt = (width: number): number | string => {
      const heights = looks.filter(({ look }) => look.width === width).map(({ heightPx }) => heightPx);
      return heights.length === 0 ? '–' : Math.max(...heights);
    };
    const worst = (figure: 'cls' | 'sidewaysPx'): number => Math.max(...looks.map((one) => one[figure]));
    const findings = looks.reduce((sum, { axe }) => sum + axe.length, 0);
    return row([name, heightAt(360), heightAt(1280), worst('cls').toFixed(3), worst('sidewaysPx'), findings]);
  });
};

export const tableOf = (seen: readonly Seen[], shelf: Shelf | undefined): string => {
  const all = [...seen, ...(shelf?.seen ?? [])];
  const lines = [row(HEADS), row(HEADS.map(() => '---')), ...rowsOf(all)];
  if (shelf !== undefined) {
    const { bytes, packedBytes, coding, path } = shelf.weight;
    const kb = (count: number): string => (count / 1_000).toFixed(1);
    lines.push(
      '',
      `\`${path}\`, 24 copies with photos: ${kb(bytes)} kB of HTML, ${kb(packedBytes)} kB as sent (${coding}).`,
    );
  }
  return lines.join('\n');
};
