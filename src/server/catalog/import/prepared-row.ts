import type { Category } from '#contract/catalog/catalog.ts';
import type { Copy } from '#db/seed/fixtures.ts';
import type { BulkListing } from '#server/catalog/listings/bulk-listing.queries.ts';
import type { Column } from './columns.ts';
import { copyOf, filledBy, type Said } from './copy-row.ts';
import { CannotImport } from './refusal.ts';
import type { Note } from './report.ts';
import type { Cells, SourceFile, SourceRow } from './source-file.ts';
import { bookOf, rowDigest } from './source-row.ts';

/** What whoever imports says of every copy that the file does not. */
export interface CopyDefaults extends Said {
  /** An existing category. */
  readonly categoryId?: string | undefined;
  /** Makes up what nobody says, the same for the same seed: for demo shops alone. */
  readonly makeUp?: ((seed: string, book: { publishedYear: number | null }, given: Said) => Copy) | undefined;
}

export interface Prepared extends BulkListing {
  readonly categoryName: string;
  readonly notes: readonly Note[];
}

/** A row as a listing, or why it cannot be one; `copy`: which of equal rows it is. */
export type Outcome = { readonly listing: Prepared } | { readonly reason: string; readonly copy: number | undefined };

interface Preparation {
  readonly seller: { readonly id: string };
  readonly categories: readonly Category[];
  readonly source: SourceFile;
  readonly order: CopyDefaults;
  readonly startedAt: Date;
}

/** What a copy must have, with the flag that says it for all. */
const NEEDED = [
  ['price', '--price', 'resaleCents'],
  ['condition', '--condition', 'condition'],
  ['location', '--location', 'location'],
] as const satisfies readonly (readonly [Column, string, keyof Said])[];

const listed = (names: readonly string[], last: 'and' | 'or'): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`;

/** Says before anything is written what no row could have. */
const checkColumns = ({ source, order }: Preparation): void => {
  const has = (column: Column): boolean => source.columns.places.has(column);
  const needed = order.makeUp === undefined ? NEEDED : [];
  const lacking: (readonly [string, string, ...unknown[]])[] = [
    ...needed.filter(([column, , name]) => !has(column) && order[name] === undefined),
    ...(has('category') || order.categoryId !== undefined ? [] : [['category', '--category'] as const]),
  ];
  if (lacking.length === 0) return;
  const names = lacking.map(([column]) => column);
  const flags = lacking.map(([, flag]) => flag);
  throw new CannotImport(
    `${source.file} has no column for ${listed(names, 'or')}: add ${names.length === 1 ? 'it' : 'them'}, or say ${listed(flags, 'and')} for all copies.`,
  );
};

/** Finds the category that a row names, by its id or its name. */
const categoryFinder = ({ categories, order }: Preparation): ((text: string) => Category | string) => {
  const known = new Map<string, Category>();
  for (const category of categories) known.set(category.category_name.toLowerCase(), category);
  for (const category of categories) known.set(category.category_id.toLowerCase(), category);
  const forAll = categories.find(({ category_id }) => category_id === order.categoryId);
  if (order.categoryId !== undefined && forAll === undefined) {
    throw new CannotImport(`There is no category with the id ${order.categoryId}: add it in the shop first.`);
  }
  return (text) => {
    if (text === '') return forAll ?? 'It has no category: say it in its column, or --category for all that have none';
    return (
      known.get(text.toLowerCase()) ?? `The shop has no category "${text}": add it in the shop first, or name another`
    );
  };
};

/** What is left open of a copy that nobody made up. */
const openNotes = (said: Said): Note[] => [
  ...(said.originalCents === undefined ? (['original price not known'] as const) : []),
  ...(said.yearsOfUse === undefined ? (['years of use not known'] as const) : []),
  ...(said.details === undefined ? (['no details'] as const) : []),
];

type Facts = Omit<
  BulkListing,
  | 'sellerId'
  | 'categoryId'
  | 'importKey'
  | 'publishedAt'
  | 'title'
  | 'authors'
  | 'isbn13'
  | 'publishedYear'
  | 'publisher'
>;

/** A copy with all that it needs, or, as a sentence, what it lacks. */
const factsOf = (said: Said): Facts | string => {
  const { resaleCents, condition, location } = said;
  if (resaleCents === undefined || condition === undefined || location === undefined) {
    const lacking = NEEDED.filter(([, , name]) => said[name] === undefined).map(([column]) => `no ${column}`);
    return `It has ${listed(lacking, 'and')}`;
  }
  return {
    resaleCents,
    condition,
    location,
    originalCents: said.originalCents ?? resaleCents,
    originalKnown: said.originalCents !== undefined,
    yearsOfUse: said.yearsOfUse ?? 0,
    yearsKnown: said.yearsOfUse !== undefined,
    details: said.details ?? '',
    imageUrl: said.imageUrl ?? '',
    phone: said.phone ?? '',
  };
};

/**
 * Turns rows, in the order of the file, into listings, or into the reason why they are refused. Throws `CannotImport`
 * where no row of the file could be one.
 */
export const copyPreparer = (preparation: Preparation): ((row: SourceRow) => Outcome) => {
  checkColumns(preparation);
  const { seller, order, startedAt } = preparation;
  const { makeUp } = order;
  const categoryOf = categoryFinder(preparation);
  const occurrences = new Map<string, number>();
  let place = 0;

  /**
   * Counted before anything else is looked at: a row that is refused and mended must stay the same one of its equals.
   */
  const keyOf = (row: SourceRow, cell: Cells): { digest: string; copy: number } => {
    const digest = rowDigest(cell);
    const copy = row.copy ?? (occurrences.get(digest) ?? 0) + 1;
    occurrences.set(digest, copy);
    return { digest, copy };
  };

  return (row) => {
    place += 1;
    if (row.cell === undefined) {
      return { reason: `It has ${row.raw.length} columns, not as many as the header`, copy: row.copy };
    }
    if (row.raw.some((text) => text.includes('\0'))) {
      return { reason: 'It holds a NUL character, which no text has', copy: row.copy };
    }
    const { digest, copy } = keyOf(row, row.cell);
    const refused = (reason: string): Outcome => ({ reason, copy });
    const book = bookOf(row.cell, makeUp !== undefined);
    if (typeof book === 'string') return refused(book);
    const told = copyOf(row.cell);
    if (typeof told === 'string') return refused(told);
    const category = categoryOf(row.cell('category').trim());
    if (typeof category === 'string') return refused(category);
    const importKey = `${digest}-${copy}`;
    const said = filledBy(told, order);
    const made = makeUp?.(importKey, book, said);
    const facts = factsOf(made === undefined ? said : { ...said, ...made });
    if (typeof facts === 'string') return refused(facts);
    const { notes, ...ofBook } = book;
    return {
      listing: {
        ...ofBook,
        ...facts,
        sellerId: seller.id,
        categoryId: category.category_id,
        categoryName: category.category_name,
        importKey,
        notes: [...notes, ...(made?.madeUp ?? openNotes(said))],
        // A catalogue begins with its best: its first row is the newest.
        publishedAt: new Date(startedAt.getTime() - place),
      },
    };
  };
};
