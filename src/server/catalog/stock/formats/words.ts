import type { Condition } from '#contract/catalog/catalog.ts';
import { bindingOf } from '#contract/catalog/binding.ts';
import { conditionOfGrade, GRADES, type Grade } from '#contract/catalog/passport/grades.ts';
import { LANGUAGES } from '#contract/catalog/passport/languages.ts';
import type { PassportDraft } from '#contract/catalog/passport/passport.ts';
import type { StockCells, StatusMeaning } from '#contract/stock/fields.ts';

/** How the trade writes its grades; the longest is looked for first. `used` and `collectible` alone say nothing. */
const GRADE_WORDS: Readonly<Record<Grade, readonly string[]>> = {
  'As New': ['as new', 'mint', 'new', 'neu', 'wie neu', 'neuwertig', 'like new'],
  Fine: ['fine', 'fn', 'f'],
  'Near Fine': ['near fine', 'nf', 'f-', 'fine-'],
  'Very Good': ['very good', 'vg', 'sehr gut'],
  Good: ['good', 'gd', 'g', 'gut'],
  Fair: ['fair', 'acceptable', 'akzeptabel', 'befriedigend'],
  Poor: ['poor', 'reading copy', 'binding copy'],
};

const BY_WORD = new Map<string, Grade>(
  GRADES.flatMap((grade) => GRADE_WORDS[grade].map((word) => [word, grade] as const)),
);

/** What the trade's grades are worth here, and the shop's own three conditions beside them. */
const gradeIn = (text: string): Grade | undefined => {
  const word = text
    .toLowerCase()
    .replace(/^used\s*[-:]\s*|^collectible\s*[-:]\s*/, '')
    .replace(/[\s_]+/g, ' ')
    .replace(/[.;,]+$/, '')
    .trim();
  // A plus or a minus is read as the lower full step.
  return BY_WORD.get(word) ?? BY_WORD.get(word.replace(/\s?[+-]+$/, ''));
};

/** The grade of the book in "VG+/VG" or "Fine in Near Fine jacket". */
export const gradeOf = (text: string): Grade | undefined => gradeIn(text) ?? gradeIn(text.split(/\/|\bin\b/i)[0] ?? '');

/** The condition that a word gives: of the shop's own three, or of a grade of the trade; undefined where none does. */
/** What a listing without more says of its state: the shop's own three words. */
const OWN_WORDS = ['Excellent', 'Good', 'Fair'] as const;

/**
 * The grade as AbeBooks knows it: a step between theirs is the lower one, `Excellent` their Fine; undefined for what is
 * no grade.
 */
export const abeGradeOf = (text: string): Grade | undefined => {
  if (/^excellent$/i.test(text.trim())) return 'Fine';
  const grade = gradeOf(text);
  return grade === 'Near Fine' ? 'Very Good' : grade;
};

/**
 * The words for the book where a description begins with them, because the house that the file was written for does
 * not know them; else as they are.
 */
export const withTrueGrade = (cells: StockCells): StockCells => {
  const { condition, description } = cells;
  const [whole, first = ''] = /^(.{1,40}?)\. ?(?=.|$)/s.exec(description ?? '') ?? [];
  if (condition === undefined || whole === undefined || first === condition) return cells;
  if (abeGradeOf(first) === undefined || abeGradeOf(first) !== condition) return cells;
  const { description: _before, ...rest } = cells;
  const after = (description ?? '').slice(whole.length);
  return { ...rest, condition: first, ...(after !== '' && { description: after }) };
};

const JACKET_FACTS = /^(with|missing|none issued)$/;

/** The words of the trade for book and jacket, as a file has them; undefined where they are the shop's own. */
export const gradeTextOf = ({ condition = '', jacket = '' }: StockCells): string | undefined => {
  const ofJacket = JACKET_FACTS.test(jacket) ? '' : jacket;
  if (ofJacket === '' && (condition === '' || OWN_WORDS.some((word) => word === condition))) return undefined;
  return [condition, ofJacket].join(' / ').replace(/ \/ $/, '').slice(0, 100);
};

export const conditionOfWord = (text: string): Condition | undefined => {
  const own = OWN_WORDS.find((one) => one.toLowerCase() === text.trim().toLowerCase());
  if (own !== undefined) return own;
  const grade = gradeOf(text);
  return grade && conditionOfGrade(grade);
};

const NO_JACKET = /^(-|no|n|none|missing|lacking|no (dj|dw|jacket|dust ?jacket)|ohne|fehlt)$/i;

/** Whether the copy has its jacket. */
const jacketOf = ({ jacket, condition = '' }: StockCells): PassportDraft['jacket'] => {
  const ofBook = /\/\s*(.*)$/.exec(condition)?.[1];
  const said = (jacket ?? ofBook ?? '').trim();
  if (said === '') return undefined;
  if (/none issued|as issued/i.test(said)) return 'none issued';
  return NO_JACKET.test(said)
    ? 'missing'
    : gradeIn(said) !== undefined || /^(y|yes|true|1|dj|with|ja)$/i.test(said)
      ? 'with'
      : undefined;
};

/** Only a plain word: a description is never searched for it ("unsigned", "designed", "signed by nobody"). */
const signedOf = (text: string | undefined): PassportDraft['signed'] => {
  const said = (text ?? '').trim().toLowerCase();
  if (/^(signed|signed by (the )?author|y|yes|true|1|signiert)$/.test(said)) return 'signed';
  if (/^(inscribed|inscribed by (the )?author)$/.test(said)) return 'inscribed';
  if (said === 'association') return 'association';
  return /^(n|no|false|0|not signed|unsigned)$/.test(said) ? 'no' : undefined;
};

const PRINTINGS = [
  'first edition',
  'first printing',
  'later printing',
  'reprint',
  'international',
  'advance copy',
  'facsimile',
  'limited',
] as const;
const isPrinting = (text: string): boolean => PRINTINGS.some((one) => one === text.trim().toLowerCase());

const printingOf = ({ edition = '', printing = '', first = '' }: StockCells): PassportDraft['printing'] => {
  if (/^(y|yes|true|1|first|first edition|ja)$/i.test(first.trim())) return 'first edition';
  const named = PRINTINGS.find((one) => [printing, edition].some((text) => text.trim().toLowerCase() === one));
  if (named !== undefined) return named;
  const said = `${edition} ${printing}`.toLowerCase();
  if (/\b(1st|first) (printing|impression)\b/.test(said)) return 'first printing';
  if (/\b(1st|first)( edition| ed\b|$)|^\s*(1st|first)\b/.test(said)) return 'first edition';
  return undefined;
};

const CODES = new Map(
  Object.entries(LANGUAGES).flatMap(
    ([code, name]) =>
      [
        [code, code],
        [name.toLowerCase(), code],
      ] as const,
  ),
);
const SHORT: Readonly<Record<string, string>> = {
  en: 'eng',
  de: 'ger',
  deu: 'ger',
  fr: 'fre',
  fra: 'fre',
  es: 'spa',
  it: 'ita',
  nl: 'dut',
  pt: 'por',
  ru: 'rus',
  deutsch: 'ger',
};

const languageOf = (text: string | undefined): string | undefined => {
  const said = (text ?? '').trim().toLowerCase();
  return CODES.get(said) ?? SHORT[said];
};

const pagesOf = (text: string | undefined): number | undefined => {
  const pages = Number(/^\s*(\d{1,5})\b/.exec(text ?? '')?.[1] ?? 0);
  return pages > 0 && pages <= 50_000 ? pages : undefined;
};

/** What a row says of its copy as data; only what it says is there. */
export const saidIn = (cells: StockCells): PassportDraft => {
  const binding = cells.binding === undefined ? '' : bindingOf(cells.binding);
  const said = {
    binding: binding === '' ? undefined : binding,
    language: languageOf(cells.language),
    pages: pagesOf(cells.pages),
    // What is said of its printing alone is told there.
    edition: isPrinting(cells.edition ?? '') ? undefined : cells.edition?.slice(0, 100),
    printing: printingOf(cells),
    signed: signedOf(cells.signed),
    jacket: jacketOf(cells),
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
};

const KNOWN_STATUSES: readonly (readonly [RegExp, StatusMeaning])[] = [
  [/^(for sale|available|active|in stock|verfügbar|lieferbar)$/i, 'sale'],
  [/hold|^(paused|inactive|vacation|reserved)$/i, 'pause'],
  [/^(sold|deleted?|removed?|gone|verkauft)$/i, 'gone'],
];

/** What a status means that means the same everywhere; a lone letter never does. */
export const meaningOf = (status: string): StatusMeaning | undefined =>
  KNOWN_STATUSES.find(([pattern]) => pattern.test(status.trim()))?.[1];
