import { readFileSync } from 'node:fs';
import path from 'node:path';
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

const css = readFileSync(path.join(import.meta.dirname, 'cover.css'), 'utf8');
const colours = (name: 'cloth' | 'ink'): string[] =>
  [...css.matchAll(new RegExp(`--${name}: (#[0-9a-f]{6});`, 'g'))].map(([, colour = '']) => colour);

describe('a drawn cover', () => {
  it('is the same on every machine', () => {
    // Written down once: another result would make the server's page and the browser's differ after an update.
    expect(coverArt('Dune', 'Frank Herbert')).toEqual({
      cloth: 9,
      ornament: 'panelled',
      direction: 'ltr',
      size: 30,
      lines: ['Dune'],
      authorLines: ['Frank Herbert'],
    });
  });

  it('differs between books', () => {
    const looks = ['Emma', 'Dune', 'Ulysses', 'Dracula', 'Kim', 'Walden', 'Persuasion', 'The Odyssey'].map((title) => {
      const { cloth, ornament } = coverArt(title, '');
      return `${cloth} ${ornament}`;
    });
    expect(new Set(looks).size).toBeGreaterThan(4);
  });

  it('leaves out the series in brackets, and says who wrote it', () => {
    const art = coverArt('The Hunger Games (The Hunger Games, #1)', 'Suzanne Collins');
    expect(art.lines.join(' ')).toBe('The Hunger Games');
    expect(coverArt('Good Omens', 'Terry Pratchett, Neil Gaiman').authorLines.join(' ')).toContain('&');
    expect(coverArt('Many', 'A. One, B. Two, C. Three').authorLines).toEqual(['A. One and others']);
  });

  it.each([
    ['Moby-Dick or, The Whale', 'Moby-Dick'],
    ['Frankenstein; or, The Modern Prometheus', 'Frankenstein'],
    ['The Pragmatic Programmer: From Journeyman to Master', 'The Pragmatic Programmer'],
    ['2001: A Space Odyssey', '2001: A Space Odyssey'],
    ['Either/Or', 'Either/Or'],
    ['For Better or Worse', 'For Better or Worse'],
  ])('of %s says %s: a subtitle only where nothing else says what it is', (title, shown) => {
    expect(coverArt(title, '').lines.join(' ')).toBe(shown);
  });

  it('sets long words in smaller letters and breaks only what fits in none, between syllables', () => {
    expect(coverArt('Incomprehensibilities', '').lines).toEqual(['Incomprehensibilities']);
    expect(coverArt('Donaudampfschifffahrtsgesellschaft', '').lines).toEqual([
      'Donau-',
      'dampfschiff-',
      'fahrtsge-',
      'sellschaft',
    ]);
    expect(coverArt('Rindfleischetikettierung-Überwachungsaufgaben', '').lines.join('')).toContain('-Über');
    expect(coverArt('百年の孤独'.repeat(6), '').lines.join('')).toBe('百年の孤独'.repeat(6));
  });

  it.each([
    ['吾輩は猫である', ['吾輩は', '猫である']],
    ['世界の終りとハードボイルド・ワンダーランド', ['世界の終りと', 'ハードボイルド・', 'ワンダーランド']],
    ['百年孤独：加西亚·马尔克斯作品', ['百年孤独']],
    ['中国哲学简史与西方思想之比较', ['中国哲学简', '史与西方思', '想之比较']],
    ['Slaughterhouse-Five', ['Slaughterhouse-', 'Five']],
    ['Moby-Dick', ['Moby-Dick']],
  ])('ends a line of %s where a reader would', (title, lines) => {
    expect(coverArt(title, '').lines).toEqual(lines);
  });

  it('makes lines alike where as many shorter ones do', () => {
    expect(coverArt('Harry Potter and the Philosopher’s Stone', '').lines).toEqual([
      'Harry Potter',
      'and the',
      'Philosopher’s',
      'Stone',
    ]);
  });

  it('is read in the direction of its first letter', () => {
    const directions = ['Emma', '1984', 'العادات السبع', '«שיר השירים»', '«Emma» العادات'].map(
      (title) => coverArt(title, '').direction,
    );
    expect(directions).toEqual(['ltr', 'ltr', 'rtl', 'rtl', 'ltr']);
  });

  it('cuts what is too long', () => {
    const long = coverArt('word '.repeat(100), '');
    expect(long.lines.length).toBeLessThanOrEqual(10);
    expect(long.lines.at(-1)).toMatch(/…$/);
  });

  it('is readable and inside its edges for any title', () => {
    const [cloths, inks] = [colours('cloth'), colours('ink')];
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), fc.string({ maxLength: 100 }), (title, authors) => {
        const art = coverArt(title, authors);
        expect(contrast(cloths[art.cloth] ?? '', inks[art.cloth] ?? '')).toBeGreaterThanOrEqual(4.5);
        expect(art.lines.length).toBeGreaterThan(0);
        expect(art.lines.length * art.size * 1.15).toBeLessThanOrEqual(170);
        // No letter is narrower than 0.42 of its size; the ellipsis of what is cut comes on top.
        for (const line of art.lines) expect((line.length - 2) * art.size * 0.42).toBeLessThanOrEqual(156);
        expect(coverArt(title, authors)).toEqual(art);
      }),
    );
  });
});
