import type { CoverArt } from './cover-art.ts';

const MIDDLE = 100;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '');

const linesOf = (lines: readonly string[], top: number, size: number): string =>
  lines
    .map(
      (line, place) => `<tspan x="${MIDDLE}" y="${+(top + place * size * 1.15).toFixed(2)}">${escaped(line)}</tspan>`,
    )
    .join('');

const ornamentOf = ({ layout, accent }: CoverArt): string => {
  switch (layout) {
    case 'frame':
      return `<g fill="none" stroke="${accent}"><path d="M14 12h174v276H14z" stroke-width="2.5"/><path d="M19 17h164v266H19z" stroke-width=".8"/></g>`;
    case 'band':
      return `<path fill="${accent}" d="M0 0h200v34H0zM0 40h200v3H0zM0 288h200v12H0z"/>`;
    case 'rules':
      return `<path fill="${accent}" d="M34 40h138v3H34zM34 46h138v1H34zM103 208l7 7-7 7-7-7zM34 214.5h54v1H34zM118 214.5h54v1h-54z"/>`;
    case 'panel':
      return `<path d="M12 206h180v82H12z" fill="${accent}" fill-opacity=".16"/><circle cx="103" cy="36" r="9" fill="none" stroke="${accent}" stroke-width="2"/><circle cx="103" cy="36" r="3" fill="${accent}"/>`;
    default:
      return layout satisfies never;
  }
};

/** What stands inside the SVG of a drawn cover, 200 by 300. Colours are attributes: the pages' policy has no inline styles. */
export const coverMarkup = (art: CoverArt): string => {
  const top = 125 - (art.lines.length * art.size * 1.15) / 2 + art.size;
  return [
    `<path fill="${art.cloth}" d="M0 0h200v300H0z"/>`,
    ornamentOf(art),
    '<path d="M0 0h7v300H0z" fill-opacity=".18"/>',
    `<g text-anchor="middle" fill="${art.ink}">`,
    `<text direction="${art.direction}" font-size="${art.size}" font-weight="700">${linesOf(art.lines, top, art.size)}</text>`,
    `<text font-size="13.5" font-weight="500">${linesOf(art.authorLines, 250, 14)}</text></g>`,
  ].join('');
};
