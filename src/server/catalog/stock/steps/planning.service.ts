import type { StockChoices, StockSurvey } from '#contract/stock/stock-files.ts';
import { parseCents, MAX_PRICE_CENTS, MIN_PRICE_CENTS } from '#contract/money/money.ts';
import { inPieces } from '#server/platform/in-pieces.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { listCategoryRows } from '#server/catalog/categories/category.queries.ts';
import { tellOfCopies, type CopyToldOf } from '#server/catalog/passports/passport.service.ts';
import { prepareRow, type PreparedRow, type RowRules } from '#server/catalog/stock/formats/prepare.ts';
import { planOf, type CopyDefaults, type Plan } from './comparing.ts';
import { listCopiesOf, listEditionTitles } from './copies.queries.ts';
import type { Outcome, RowToCompare } from './rows.queries.ts';

/** Rows that are looked at without a pause: about half a millisecond. */
const PIECE = 25;

/** What is needed of a file to compare its rows. */
export interface FileToCompare {
  readonly sellerId: string;
  readonly asOf: Date;
  readonly survey: StockSurvey | null;
  readonly choices: StockChoices;
}

/** How the rows of a file are read, and what is said of those that say nothing. */
export interface Rules {
  readonly rows: RowRules;
  readonly defaults: Omit<CopyDefaults, 'edition'>;
}

export const rulesOf = async (db: Db, { choices, survey }: FileToCompare): Promise<Rules> => {
  const categories = await listCategoryRows(db);
  const cents = choices.price === undefined ? undefined : parseCents(choices.price);
  const isPrice = cents !== undefined && cents >= MIN_PRICE_CENTS && cents <= MAX_PRICE_CENTS;
  return {
    rows: {
      // Where the column does not show it, `1,250` is not written before its seller said what it is.
      decimal: choices.decimal ?? survey?.decimal ?? undefined,
      statuses: choices.statuses ?? {},
      categories: new Map(
        categories.flatMap(({ category_id, category_name }) => [
          [category_name.toLowerCase(), category_id],
          [category_id.toLowerCase(), category_id],
        ]),
      ),
    },
    defaults: {
      categoryId: categories.find(({ category_id }) => category_id === choices.category)?.category_id,
      condition: choices.condition,
      resaleCents: isPrice ? cents : undefined,
      location: choices.location === '' ? undefined : choices.location,
      phone: choices.phone === '' ? undefined : choices.phone,
    },
  };
};

/** A row with what is to be done about it. */
export interface PlannedRow {
  readonly line: number;
  readonly row: PreparedRow;
  readonly plan: Plan;
  /** Copies that stay and whose passports learn something from it. */
  readonly learns: readonly CopyToldOf[];
}

export interface Planned {
  readonly planned: readonly PlannedRow[];
  readonly outcomes: readonly Outcome[];
}

/** What a row comes to that does nothing. */
export const NOTHING: Omit<Outcome, 'line' | 'action'> = {
  reason: '',
  lacks: null,
  added: 0,
  changed: 0,
  withdrawn: 0,
  soldHere: 0,
  kept: 0,
};

const refusal = (line: number, reason: string): Outcome => ({ ...NOTHING, line, action: 'refused', reason });

const outcomeOf = ({ line, plan, learns }: PlannedRow): Outcome => {
  const touched = new Set([...plan.change, ...plan.own, ...learns].map(({ id }) => id).concat(plan.pause, plan.resume));
  return {
    line,
    action: plan.action === 'unchanged' && learns.length > 0 ? 'changed' : plan.action,
    reason: plan.reason,
    lacks: plan.lacks ?? null,
    added: plan.add?.count ?? 0,
    changed: touched.size,
    withdrawn: plan.withdraw.length,
    soldHere: plan.soldHere,
    kept: plan.kept,
  };
};

/** ISBNs of rows that say nothing else of the book, and of which nothing is known here. */
export const listUnknownIsbns = async (
  db: Db,
  { rows: rules }: Rules,
  rows: readonly RowToCompare[],
): Promise<string[]> => {
  const untitled = rows.filter(({ cells }) => (cells.title ?? '').trim() === '');
  const isbns = untitled.flatMap(({ cells }) => {
    const row = prepareRow(cells, rules);
    return 'refused' in row || row.isbn13 === undefined ? [] : [row.isbn13];
  });
  const known = await listEditionTitles(db, isbns);
  return [...new Set(isbns)].filter((isbn13) => !known.has(isbn13));
};

/** A row as its cells are understood, or why they are not. */
interface ReadRow {
  readonly line: number;
  readonly row: ReturnType<typeof prepareRow>;
}

/** What the cells of rows mean, which no copy changes. */
export const readRows = (rows: readonly RowToCompare[], { rows: rules }: Rules): Promise<readonly ReadRow[]> =>
  inPieces(rows, PIECE, ({ line, cells }) => ({ line, row: prepareRow(cells, rules) }));

/** What is to be done about each row that is understood, beside the copies that the seller has now. */
const plansOf = async (
  db: Db,
  { sellerId, asOf }: FileToCompare,
  { defaults }: Rules,
  read: readonly ReadRow[],
  isLocked: boolean,
): Promise<Omit<PlannedRow, 'learns'>[]> => {
  const good = read.flatMap(({ line, row }) => ('refused' in row ? [] : [{ line, row }]));
  const copies = await listCopiesOf(db, { sellerId, skus: good.map(({ row }) => row.sku), asOf, isLocked });
  const untitled = good.flatMap(({ row }) => (row.title === undefined && row.isbn13 !== undefined ? [row.isbn13] : []));
  const editions = await listEditionTitles(db, untitled);
  return inPieces(good, PIECE, ({ line, row }) => {
    const edition = row.isbn13 === undefined ? undefined : editions.get(row.isbn13);
    return { line, row, plan: planOf(row, copies.get(row.sku) ?? [], { ...defaults, edition }) };
  });
};

/** The categories that rows put copies into, in one order for everybody who locks them. */
export const categoriesOf = async (
  db: Db,
  file: FileToCompare,
  rules: Rules,
  read: readonly ReadRow[],
): Promise<string[]> => {
  const plans = await plansOf(db, file, rules, read, false);
  const categories = plans.flatMap(({ plan }) => [
    ...(plan.add === undefined ? [] : [plan.add.facts.category_id]),
    ...plan.change.map(({ after }) => after.category_id),
  ]);
  return [...new Set(categories)].toSorted();
};

/**
 * What rows of a file come to, beside the copies that the seller has now; `isLocked`: these stay as they are until the
 * transaction ends.
 */
export const planRows = async (
  db: Db,
  file: FileToCompare,
  rules: Rules,
  read: readonly ReadRow[],
  isLocked: boolean,
): Promise<Planned> => {
  const plans = await plansOf(db, file, rules, read, isLocked);
  const told = plans.flatMap(({ row, plan }) =>
    plan.action === 'refused' ? [] : plan.stays.map((copy) => ({ ...copy, said: row.said })),
  );
  const changed = await tellOfCopies(db, told);
  const planned = plans.map((one) => ({
    ...one,
    learns: one.plan.stays.flatMap((copy) => (changed.has(copy.id) ? [{ ...copy, said: one.row.said }] : [])),
  }));
  return {
    planned,
    outcomes: [
      ...read.flatMap(({ line, row }) => ('refused' in row ? [refusal(line, row.refused)] : [])),
      ...planned.map(outcomeOf),
    ],
  };
};
