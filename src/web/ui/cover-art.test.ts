import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coverArt } from './cover-art.ts';

const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((place) => {
    const part = Number.parseInt(colour.slice(place, place + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (a: string, b: string): number => {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
};

describe('a drawn cover', () => {
  it('is the same on every machine', () => {
    // Written down once: another result would make the server's page and the browser's differ after an update.
    expect(coverArt('Dune', 'Frank Herbert')).toEqual({
      cloth: '#c9d3c0',
      ink: '#26352a',
      accent: '#7a3b28',
      layout: 'panel',
      size: 30,
      lines: ['Dune'],
      authorLines: ['Frank Herbert'],
    });
  });

  it('differs between books', () => {
    const looks = ['Emma', 'Dune', 'Ulysses', 'Dracula', 'Kim', 'Walden', 'Persuasion', 'The Odyssey'].map((title) => {
      const { cloth, layout } = coverArt(title, '');
      return `${cloth} ${layout}`;
    });
    expect(new Set(looks).size).toBeGreaterThan(4);
  });

  it('leaves out the series in brackets, and says who wrote it', () => {
    const art = coverArt('The Hunger Games (The Hunger Games, #1)', 'Suzanne Collins');
    expect(art.lines.join(' ')).toBe('The Hunger Games');
    expect(coverArt('Good Omens', 'Terry Pratchett, Neil Gaiman').authorLines.join(' ')).toContain('&');
    expect(coverArt('Many', 'A. One, B. Two, C. Three').authorLines).toEqual(['A. One and others']);
  });

  it('cuts what is too long and breaks what has no spaces', () => {
    const long = coverArt('word '.repeat(100), '');
    expect(long.lines.length).toBeLessThanOrEqual(7);
    expect(long.lines.at(-1)).toMatch(/…$/);
    expect(coverArt('Donaudampfschifffahrtsgesellschaft', '').lines.length).toBeGreaterThan(1);
  });

  it('is readable and inside its edges for any title', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), fc.string({ maxLength: 100 }), (title, authors) => {
        const art = coverArt(title, authors);
        expect(contrast(art.cloth, art.ink)).toBeGreaterThanOrEqual(4.5);
        expect(art.lines.length).toBeGreaterThan(0);
        expect(art.lines.length * art.size * 1.15).toBeLessThanOrEqual(170);
        for (const line of art.lines) expect(line.length).toBeLessThanOrEqual(18);
        expect(coverArt(title, authors)).toEqual(art);
      }),
    );
  });
});
