import type { StockCells, StockField } from '#contract/stock/fields.ts';
import { makeUpCopy, type Given, type MadeUp } from '#db/seed/fixtures.ts';
import { prepareRow, type PreparedRow } from '#server/catalog/stock/formats/prepare.ts';

/** Where each thing that is made up is written. */
const FIELD_OF: Readonly<Record<MadeUp, StockField>> = {
  price: 'price',
  'original price': 'original_price',
  condition: 'condition',
  location: 'location',
  'years of use': 'years_of_use',
  details: 'description',
};

const RULES = { decimal: '.', statuses: {}, categories: new Map<string, string>() } as const;

/** What a row says; an ISBN that is lost is left out where the row is none with it. */
const readOf = (cells: StockCells): { cells: StockCells; row: PreparedRow } | undefined => {
  const { isbn: _lost, ...without } = cells;
  for (const one of [cells, without]) {
    const row = prepareRow(one, RULES);
    if (!('refused' in row)) return { cells: one, row };
  }
  return undefined;
};

const dollars = (cents: number): string => (cents / 100).toFixed(2);

/**
 * Fills rows with what neither they nor `forAll` say of their copies, the same for the same SKU every time; `madeUp`
 * counts it. Rows that cannot be read stay as they are.
 */
export const copyMaker = (
  forAll: Given,
): { complete: (cells: StockCells) => StockCells; madeUp: ReadonlyMap<MadeUp, number> } => {
  const counts = new Map<MadeUp, number>();
  const complete = (given: StockCells): StockCells => {
    const read = readOf(given);
    if (read === undefined || read.row.title === undefined) return given;
    const { row, cells } = read;
    const copy = makeUpCopy(
      row.sku,
      { publishedYear: row.publishedYear ?? null },
      {
        resaleCents: row.resaleCents ?? forAll.resaleCents,
        originalCents: row.originalCents,
        condition: row.condition ?? forAll.condition,
        location: row.location ?? forAll.location,
        yearsOfUse: row.yearsOfUse,
        details: row.details,
      },
    );
    const text: Readonly<Record<MadeUp, string>> = {
      price: dollars(copy.resaleCents),
      'original price': dollars(copy.originalCents),
      condition: copy.condition,
      location: copy.location,
      'years of use': String(copy.yearsOfUse),
      details: copy.details,
    };
    for (const what of copy.madeUp) counts.set(what, (counts.get(what) ?? 0) + 1);
    return { ...cells, ...Object.fromEntries(copy.madeUp.map((what) => [FIELD_OF[what], text[what]])) };
  };
  return { complete, madeUp: counts };
};
