import { STOCK_FIELD_NAMES, type StockCells, type StockField } from '#contract/stock/fields.ts';
import type { StockFormat } from '#contract/stock/stock-export.ts';
import { textCell } from '#server/platform/files/csv.ts';
import { oneLine } from '#contract/text.ts';
import { abeGradeOf } from '#server/catalog/stock/formats/words.ts';

/** How a format is written: what stands before the rows, and each row; undefined where it does not know such rows. */
export interface Writer {
  readonly head: string;
  readonly row: (cells: StockCells) => string | undefined;
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const csv = (cell: (text: string) => string): Writer => ({
  // Marked as UTF-8 for spreadsheets.
  head: `\uFEFF${STOCK_FIELD_NAMES.join(',')}\r\n`,
  row: (cells) => `${STOCK_FIELD_NAMES.map((name) => cell(cells[name] ?? '')).join(',')}\r\n`,
});

/** As long as a column may be; what is longer is cut with an ellipsis. */
const cut = (text: string | undefined, most: number): string => {
  const line = oneLine(text ?? '');
  return line.length <= most ? line : `${line.slice(0, most - 1).trimEnd()}…`;
};

/** AbeBooks knows fewer grades: the true one then begins the description. */
const abeGrade = ({ condition = '', description = '' }: StockCells): { condition: string; description: string } => {
  const known = abeGradeOf(condition);
  if (known === undefined || known === condition) return { condition: known ?? '', description };
  return { condition: known, description: `${condition}.${description === '' ? '' : ` ${description}`}` };
};

const tabbed =
  (columns: readonly (readonly [name: string, cell: (cells: StockCells) => string])[]): Writer['row'] =>
  (cells) =>
    `${columns.map(([, cell]) => cell(cells)).join('\t')}\n`;

const plain =
  (field: StockField, most = 5_000) =>
  (cells: StockCells): string =>
    cut(cells[field], most);

const ABE = [
  ['listingid', plain('sku', 40)],
  ['title', plain('title', 750)],
  ['author', plain('author', 750)],
  ['price', plain('price', 10)],
  ['quantity', plain('quantity')],
  ['producttype', () => 'Book'],
  ['description', (cells: StockCells) => cut(abeGrade(cells).description, 4_000)],
  ['bindingtext', plain('binding', 30)],
  ['bookcondition', (cells: StockCells) => abeGrade(cells).condition],
  ['publishername', plain('publisher', 750)],
  ['yearpublished', plain('year', 5)],
  ['isbn', plain('isbn')],
  ['sellercatalog1', plain('category')],
  ['jacketcondition', plain('jacket', 30)],
  ['editiontext', plain('edition')],
  ['printingtext', plain('printing')],
  ['signedtext', plain('signed')],
  ['imgurl', plain('image')],
  ['language', plain('language')],
] as const;

const BIBLIO = [
  ['sku', plain('sku', 40)],
  ['author', plain('author')],
  ['title', plain('title')],
  ['publisher', plain('publisher')],
  ['date_pub', plain('year')],
  ['edition', plain('edition')],
  ['isbn', plain('isbn')],
  ['description', plain('description')],
  ['binding', plain('binding')],
  ['condition', plain('condition')],
  ['jacket_cond', plain('jacket')],
  ['signed', ({ signed = '' }: StockCells) => (signed === 'no' ? 'n' : signed === '' ? '' : signed)],
  ['first_ed', ({ printing = '' }: StockCells) => (printing === 'first edition' ? 'y' : '')],
  ['catalog1', plain('category')],
  ['image_url', plain('image')],
  ['price', plain('price')],
  ['quantity', plain('quantity')],
] as const;

const headOf = (columns: readonly (readonly [string, unknown])[]): string =>
  `${columns.map(([name]) => name).join('\t')}\n`;

/** Of an author in some role: `Brock, C. E. (illustrator)`. */
const ROLE = /^(.*) \((illustrator|editor|translator|compiler)\)$/;
const ROLE_TAGS: Readonly<Record<string, string>> = {
  illustrator: 'AI',
  editor: 'AE',
  translator: 'AT',
  compiler: 'AC',
};

/** An author a line, roles behind; as one line where that would not come back as it was. */
const authorLines = (author: string): string[] => {
  const names = author.split('; ');
  const [plainNames, inRoles] = [names.filter((name) => !ROLE.test(name)), names.filter((name) => ROLE.test(name))];
  const order = ['illustrator', 'editor', 'translator', 'compiler'];
  const roleOf = (name: string): string => ROLE.exec(name)?.[2] ?? '';
  const sorted = inRoles.toSorted((a, b) => order.indexOf(roleOf(a)) - order.indexOf(roleOf(b)));
  if ([...plainNames, ...sorted].join('; ') !== author) return [`AA|${author}`];
  return [
    ...plainNames.map((name) => `AA|${name}`),
    ...sorted.map((name) => `${ROLE_TAGS[roleOf(name)] ?? 'AA'}|${ROLE.exec(name)?.[1] ?? name}`),
  ];
};

const uieeRow: Writer['row'] = (cells) => {
  const value = (text: string | undefined): string => oneLine(text ?? '');
  const line = (tag: string, text: string | undefined): string[] =>
    value(text) === '' ? [] : [`${tag}|${value(text)}`];
  const isHeld = cells.status === 'Hold';
  const lines = [
    `UR|${value(cells.sku)}`,
    ...line('TI', cells.title),
    ...(cells.author === undefined ? [] : authorLines(value(cells.author))),
    ...line('PU', cells.publisher),
    ...line('DP', cells.year),
    ...line('ED', cells.edition ?? cells.printing),
    ...line('BD', cells.binding),
    ...line('BN', cells.isbn),
    ...line('CN', cells.condition),
    ...line('JK', cells.jacket),
    ...line('NT', cells.description),
    ...line('CA', cells.category),
    ...line('PR', cells.price),
    ...line('PC', cells.cost),
    ...line('LO', cells.shelf),
    ...line('AN', cells.note),
    ...line('CO', cells.quantity),
    ...line('LG', cells.language),
    ...line('PG', cells.pages),
    ...line('SG', cells.signed),
    ...line('IM', cells.image),
    `IS|${isHeld ? 'Hold' : 'For Sale'}`,
    'XA|4',
    `XB|${isHeld ? 7 : 1}`,
    'XC|BO',
    'XD|S',
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
};

/** Formats in which a paused copy would be put up for sale leave it out. */
const onlyForSale =
  (row: Writer['row']): Writer['row'] =>
  (cells) =>
    cells.status === 'Hold' ? undefined : row(cells);

export const WRITERS: Readonly<Record<StockFormat, Writer>> = {
  csv: csv(quoted),
  excel: csv(textCell),
  uiee: { head: '', row: uieeRow },
  abebooks: { head: headOf(ABE), row: onlyForSale(tabbed(ABE)) },
  biblio: { head: headOf(BIBLIO), row: onlyForSale(tabbed(BIBLIO)) },
};
