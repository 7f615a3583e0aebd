import { parse } from 'csv-parse/sync';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Category, Condition } from '#contract/catalog/catalog.ts';

const FOLDER = import.meta.dirname;

/** A seller of the demo shop, whose copies all come from one place. */
export interface DemoSeller {
  readonly email: string;
  readonly name: string;
  readonly verified: boolean;
  readonly phone: string;
  readonly location: string;
}

/** A copy of the demo shop; prices in dollars as text, `days_ago` when it was listed. */
export interface DemoCopy {
  readonly category_id: string;
  readonly title: string;
  readonly authors: string;
  readonly year: string;
  readonly isbn13: string;
  readonly publisher: string;
  readonly original_price: string;
  readonly resale_price: string;
  readonly condition: Condition;
  readonly years_of_use: string;
  readonly seller: string;
  readonly days_ago: string;
  readonly details: string;
}

/** What the demo shop is made of, as it stands in db/seed/. */
export interface DemoGoods {
  readonly categories: readonly Category[];
  readonly sellers: readonly DemoSeller[];
  readonly copies: readonly DemoCopy[];
}

const read = async <Row>(name: string): Promise<Row[]> =>
  parse<Row>(await readFile(path.join(FOLDER, name)), { columns: true, skip_empty_lines: true });

/** A further copy of a book that another seller has: how it differs from the first. */
type FurtherCopy = Pick<
  DemoCopy,
  'title' | 'seller' | 'condition' | 'resale_price' | 'years_of_use' | 'days_ago' | 'details'
>;

/** Whole rows of further copies; what is the book's own is as the first copy has it. */
const withFurther = (first: readonly DemoCopy[], further: readonly FurtherCopy[]): DemoCopy[] => {
  const byTitle = new Map(first.map((copy) => [copy.title, copy]));
  return further.map((copy) => {
    const like = byTitle.get(copy.title);
    if (like === undefined) throw new Error(`db/seed: there is no first copy of "${copy.title}"`);
    return { ...like, ...copy };
  });
};

/** Whether it is the first of its book's copies; the further ones are known by their sellers. */
export const isFirstCopy = (
  copies: readonly DemoCopy[],
  { title, seller }: Pick<DemoCopy, 'title' | 'seller'>,
): boolean => copies.find((copy) => copy.title === title)?.seller === seller;

/** Reads db/seed/: our own files, so their columns are trusted here and checked by a test. */
export const readDemoGoods = async (): Promise<DemoGoods> => {
  const [categories, sellers, fiction, knowledge, others, further] = await Promise.all([
    read<Category>('categories.csv'),
    read<Omit<DemoSeller, 'verified'> & { verified: string }>('sellers.csv'),
    read<DemoCopy>('copies-stories.csv'),
    read<DemoCopy>('copies-knowledge.csv'),
    read<DemoCopy>('copies-others.csv'),
    read<FurtherCopy>('further-copies.csv'),
  ]);
  const first = [...fiction, ...knowledge, ...others];
  return {
    categories,
    sellers: sellers.map((seller) => ({ ...seller, verified: seller.verified === 'yes' })),
    copies: [...first, ...withFurther(first, further)],
  };
};
