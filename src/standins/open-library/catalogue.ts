import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';

/** An edition as Open Library's records have it; the authors of every other stand at its work alone. */
export interface Entry {
  readonly title: string;
  readonly authors: readonly string[];
  readonly year: string;
  readonly language: string;
  readonly isNamedAtWork: boolean;
}

const FILE = path.join(import.meta.dirname, 'editions.csv');

/** The digits of an ISBN-10 without the last, which an ISBN-13 of the same book has, too. */
export const nineOf = (isbn: string): string => (isbn.length === 13 ? isbn.slice(3, 12) : isbn.slice(0, 9));

/** Some editions of the Goodbooks data set, by the nine digits of their ISBN. */
export const readCatalogue = (): ReadonlyMap<string, Entry> => {
  const rows: Record<'isbn' | 'title' | 'authors' | 'year' | 'language', string>[] = parse(readFileSync(FILE), {
    columns: true,
  });
  return new Map(
    rows.map(({ isbn, title, authors, year, language }, n) => [
      nineOf(isbn),
      { title, authors: authors.split(', '), year, language, isNamedAtWork: n % 2 === 1 },
    ]),
  );
};
