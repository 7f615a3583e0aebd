import { formatCount } from '#contract/count.ts';
import type { MadeUp } from '#db/seed/fixtures.ts';

/** What was done to a row on its way in; each is counted. */
export type Note =
  | 'isbn zeros'
  | 'isbn rebuilt'
  | 'isbn lost'
  | 'no isbn'
  | 'year BC'
  | 'no year'
  | 'authors cut'
  | 'original price not known'
  | 'years of use not known'
  | 'no details'
  | MadeUp;

/** What an import did. Notes are counted for the listings it added. */
export interface ImportReport {
  readonly rows: number;
  readonly added: number;
  /** Imported by an earlier run. */
  readonly present: number;
  readonly refused: number;
  /** Where the refused rows are, when there are any. */
  readonly refusedFile: string | undefined;
  readonly notes: ReadonlyMap<Note, number>;
  readonly sellerName: string;
  /** Where the listings it added went. */
  readonly categoryNames: readonly string[];
  /** Columns of the file that it did not read. */
  readonly ignored: readonly string[];
  readonly interrupted: boolean;
}

const REPAIRS: Partial<Record<Note, string>> = {
  'isbn zeros': 'ISBNs got their leading zeros back (the check digit agrees)',
  'isbn rebuilt': 'ISBN-13s in scientific notation were rebuilt from the ISBN-10',
  'isbn lost': 'ISBNs were beyond repair and are left empty',
  'no isbn': 'rows had no ISBN',
  'year BC': 'years are before Christ',
  'no year': 'rows had no usable year',
  'authors cut': 'lists of authors were shortened to 500 characters',
};

const LEFT_OPEN: Partial<Record<Note, string>> = {
  'original price not known': 'original prices are shown as not known',
  'years of use not known': 'years of use are shown as not known',
  'no details': 'copies have no details',
};

const MADE_UP: Record<MadeUp, string> = {
  price: 'prices',
  'original price': 'original prices',
  condition: 'conditions',
  location: 'places',
  'years of use': 'years of use',
  details: 'descriptions',
};

const lineOf = (count: number, text: string): string => `${formatCount(count).padStart(9)}  ${text}`;

const linesOf = (notes: ReadonlyMap<Note, number>, texts: Partial<Record<Note, string>>): string[] => {
  const lines: string[] = [];
  for (const [note, count] of notes) {
    const text = texts[note];
    if (text !== undefined) lines.push(lineOf(count, text));
  }
  return lines;
};

const section = (heading: string, lines: readonly string[]): string[] => (lines.length > 0 ? [heading, ...lines] : []);

const whereOf = (categoryNames: readonly string[]): string => {
  const [first, ...others] = categoryNames;
  if (first === undefined) return '';
  return others.length === 0 ? ` in the category ${first}` : ` in ${categoryNames.length} categories`;
};

/** The report as whoever ran the import reads it, a line each. */
export const reportLines = (report: ImportReport): string[] => [
  report.interrupted
    ? 'Interrupted: what was listed so far stays, and running the same command again lists the rest.'
    : `Done: listed for ${report.sellerName}${whereOf(report.categoryNames)}.`,
  lineOf(report.rows, 'rows read'),
  lineOf(report.added, 'copies listed'),
  lineOf(report.present, 'were listed by an earlier run'),
  lineOf(
    report.refused,
    report.refusedFile === undefined ? 'refused' : `refused, with reasons in ${report.refusedFile}`,
  ),
  ...section('Repaired or missing in the file:', linesOf(report.notes, REPAIRS)),
  ...section('Not in the file, so left open:', linesOf(report.notes, LEFT_OPEN)),
  ...section('Not in the file, so made up (the same for the same row every time):', linesOf(report.notes, MADE_UP)),
  ...(report.ignored.length > 0 ? [`Columns that were not read: ${report.ignored.join(', ')}`] : []),
];
