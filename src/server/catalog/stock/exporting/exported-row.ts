import type { StockCells } from '#contract/stock/fields.ts';
import { conditionOfWord } from '#server/catalog/stock/formats/words.ts';
import type { ExportedCopy } from './stock-rows.queries.ts';

const amount = (cents: number | null): string => (cents === null ? '' : (cents / 100).toFixed(2));

/** The trade's words of book and jacket where they still say what the listing does; else the shop's own. */
const gradeOf = ({ grade, grade_text, condition, said }: ExportedCopy): { condition: string; jacket: string } => {
  const jacket = said.jacket ?? '';
  if (grade !== null) return { condition: grade, jacket };
  const [book = '', ofJacket] = (grade_text ?? '').split(' / ');
  if (book === '' || conditionOfWord(book) !== condition) return { condition, jacket };
  return { condition: book, jacket: ofJacket ?? jacket };
};

/** What a row says of copies that are alike; cells that say nothing are left out. */
export const cellsOf = (copy: ExportedCopy, sku: string, quantity: number): StockCells => {
  const { said } = copy;
  const cells = {
    sku,
    title: copy.title,
    author: copy.authors,
    isbn: copy.isbn13,
    price: amount(copy.resale_cents),
    currency: 'USD',
    quantity: String(quantity),
    status: copy.isPaused ? 'Hold' : 'For Sale',
    description: copy.details,
    ...gradeOf(copy),
    binding: said.binding ?? '',
    edition: said.edition ?? '',
    printing: said.printing ?? '',
    signed: said.signed ?? '',
    publisher: copy.publisher,
    year: copy.published_year === null ? '' : String(copy.published_year),
    language: said.language ?? '',
    pages: said.pages == null ? '' : String(said.pages),
    category: copy.category,
    image: copy.image,
    location: copy.location,
    phone: copy.phone,
    original_price: amount(copy.original_cents),
    years_of_use: copy.years_of_use === null ? '' : String(copy.years_of_use),
    shelf: copy.shelf ?? '',
    cost: amount(copy.cost_cents),
    note: copy.note ?? '',
  };
  return Object.fromEntries(Object.entries(cells).filter(([, text]) => text !== ''));
};

/** What makes copies of one SKU one row. */
const likeness = (copy: ExportedCopy): string => JSON.stringify({ ...cellsOf(copy, '', 1), image: '' });

/** The rows of the copies of one SKU: one where they are alike, else one for each. */
export const rowsOfSku = (copies: readonly ExportedCopy[]): StockCells[] => {
  const [first] = copies;
  if (first === undefined) return [];
  if (first.sku === null) return copies.map((copy) => cellsOf(copy, copy.id, 1));
  if (new Set(copies.map(likeness)).size === 1) return [cellsOf(first, first.sku, copies.length)];
  return copies.map((copy) => cellsOf(copy, `${copy.sku ?? ''}#${copy.number ?? 1}`, 1));
};
