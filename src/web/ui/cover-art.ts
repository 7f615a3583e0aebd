/** Cloth and ink of a drawn cover; each pair is at least 4.5 : 1. */
const CLOTHS = [
  { cloth: '#7b2d26', ink: '#f6e7cb', accent: '#d9a75c' },
  { cloth: '#1f4b4a', ink: '#efe6d0', accent: '#d8b15e' },
  { cloth: '#24344d', ink: '#efe4cf', accent: '#d08c60' },
  { cloth: '#5a3d5c', ink: '#f3e6da', accent: '#d7a9a0' },
  { cloth: '#4a5a2a', ink: '#f4ecd2', accent: '#d9b45a' },
  { cloth: '#e9dcc0', ink: '#43281c', accent: '#9a3f22' },
  { cloth: '#d9b26a', ink: '#3a2413', accent: '#7a2d1e' },
  { cloth: '#8a4b22', ink: '#fbeed8', accent: '#f0c988' },
  { cloth: '#34302c', ink: '#efe3cf', accent: '#c98a4b' },
  { cloth: '#c9d3c0', ink: '#26352a', accent: '#7a3b28' },
  { cloth: '#2f5d7c', ink: '#f2ead8', accent: '#e2b76a' },
  { cloth: '#e6c9b8', ink: '#4a221b', accent: '#8c3b2a' },
] as const;

const LAYOUTS = ['frame', 'band', 'rules', 'panel'] as const;

/** Sizes a title is tried in, in units of a 200 by 300 cover, and the widest line each holds, in letters. */
const SIZES = [
  { size: 30, letters: 8, lines: 4 },
  { size: 25, letters: 10, lines: 5 },
  { size: 21, letters: 13, lines: 6 },
  { size: 17, letters: 16, lines: 7 },
] as const;

export interface CoverArt {
  readonly cloth: string;
  readonly ink: string;
  readonly accent: string;
  readonly layout: (typeof LAYOUTS)[number];
  readonly size: number;
  readonly lines: readonly string[];
  readonly authorLines: readonly string[];
}

/** FNV-1a, 32 bits: the same number for the same text on every machine. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let place = 0; place < text.length; place += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193);
  }
  return hash >>> 0;
};

/** The title as a cover shows it: without series in brackets at its end. */
const shortTitle = (title: string): string => {
  const short = title.replace(/\s*\([^()]*\)\s*$/, '').trim();
  return short === '' ? title.trim() : short;
};

const wrap = (text: string, letters: number): string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    let rest = word;
    if (line !== '' && line.length + 1 + rest.length > letters) {
      lines.push(line);
      line = '';
    }
    while (rest.length > letters) {
      if (line !== '') lines.push(line);
      line = '';
      lines.push(`${rest.slice(0, letters - 1)}-`);
      rest = rest.slice(letters - 1);
    }
    line = line === '' ? rest : `${line} ${rest}`;
  }
  if (line !== '') lines.push(line);
  return lines;
};

const cut = (lines: readonly string[], most: number): string[] =>
  lines.length <= most
    ? [...lines]
    : [...lines.slice(0, most - 1), `${(lines[most - 1] ?? '').replace(/[\s,.;:-]*$/, '')} …`];

const fitTitle = (title: string): { size: number; lines: readonly string[] } => {
  const longestWord = Math.max(...title.split(/\s+/).map((word) => word.length));
  for (const { size, letters, lines: most } of SIZES) {
    const lines = wrap(title, letters);
    if (longestWord <= letters && lines.length <= most) return { size, lines };
  }
  const { size, letters, lines: most } = SIZES[SIZES.length - 1] ?? SIZES[0];
  return { size, lines: cut(wrap(title, letters), most) };
};

const firstAuthors = (authors: string): string => {
  const names = authors
    .split(/[,;]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length <= 2) return names.join(' & ');
  return `${names[0]} and others`;
};

/**
 * How the cover of a book without a picture looks. A pure function of title and authors, so that server, browser and every
 * page draw the same book.
 */
export const coverArt = (title: string, authors: string): CoverArt => {
  const hash = hashOf(`${title}\n${authors}`);
  const colours = CLOTHS[hash % CLOTHS.length] ?? CLOTHS[0];
  const layout = LAYOUTS[Math.floor(hash / CLOTHS.length) % LAYOUTS.length] ?? 'frame';
  const shown = shortTitle(title);
  const author = firstAuthors(authors);
  return {
    ...colours,
    layout,
    ...fitTitle(shown === '' ? 'Untitled' : shown),
    authorLines: author === '' ? [] : cut(wrap(author, 20), 2),
  };
};
