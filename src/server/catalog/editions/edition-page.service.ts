import type { EditionAnswer, EditionSort } from '#contract/catalog/editions/edition-page.ts';
import type { EditionFacts } from '#contract/catalog/editions/edition-calls.ts';
import { limitOf } from '#server/platform/cursor.ts';
import { badFields, notFound } from '#server/platform/errors.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { findEdition, findShopEdition } from './edition.queries.ts';
import { requireIsbn } from './edition.service.ts';
import {
  listCopiesOnShelf,
  readAuthorPages,
  readSaidOfCopies,
  readShelfOf,
  type CopyPlace,
} from './edition-page.queries.ts';
import { readPublicPrices } from './prices.service.ts';
import { readHistory } from './price-history.service.ts';

export interface EditionPageInput {
  readonly isbn: string;
  readonly sort?: EditionSort | undefined;
  readonly limit?: string | undefined;
  readonly cursor?: string | undefined;
  /** Whose days sales are told by. */
  readonly timeZone: string;
}

const CURSOR = /^(price|grade)_(\d{1,3})_(\d{1,8})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

const cursorOf = (sort: EditionSort, { rank, cents, id }: CopyPlace): string =>
  Buffer.from(`${sort}_${rank}_${cents}_${id}`).toString('base64url');

/** The place of a cursor of this order; 400 for any other. */
const placeOf = (cursor: string | undefined, sort: EditionSort): CopyPlace | undefined => {
  if (cursor === undefined) return undefined;
  const [, order, rank, cents, id] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (order !== sort || id === undefined) throw badFields({ cursor: 'This is not a cursor of this list' });
  return { rank: Number(rank), cents: Number(cents), id };
};

/**
 * What is known of an edition without asking anybody outside: what copies that anybody may look at say, with what the
 * table knows beside, else the table's row; undefined where nobody knows it.
 */
const findFacts = async (db: Db, isbn13: string): Promise<EditionFacts | undefined> => {
  const shop = await findShopEdition(db, isbn13, ['withdrawn', 'paused']);
  const known = await findEdition(db, isbn13);
  if (shop !== undefined) {
    const said = await readSaidOfCopies(db, isbn13);
    return {
      isbn13,
      ...shop,
      language: said.language || (known?.language ?? ''),
      binding: said.binding || (known?.binding ?? ''),
      pages: said.pages ?? known?.pages ?? null,
      source: 'shop',
    };
  }
  if (known === undefined) return undefined;
  const { isFresh: _, source, ...facts } = known;
  return { isbn13, ...facts, source: source === 'dump' ? 'table' : 'open-library' };
};

/**
 * What an edition's page shows, for everybody alike: facts, the copies on the shelf page by page, and what copies are
 * asked and were sold for here. 400 for what is no ISBN and for a cursor of another order; 404 where neither a copy nor
 * the table knows the ISBN.
 */
export const readEditionPage = async (
  db: Db,
  { isbn, sort = 'price', limit: asked, cursor, timeZone }: EditionPageInput,
): Promise<EditionAnswer> => {
  const isbn13 = requireIsbn(isbn);
  const limit = limitOf(asked);
  const after = placeOf(cursor, sort);
  const facts = await findFacts(db, isbn13);
  if (facts === undefined) throw notFound('No copy here has this ISBN, and nothing is known of it');
  const rows = await listCopiesOnShelf(db, { isbn13, sort, after, limit: limit + 1 });
  const copies = rows.slice(0, limit);
  const last = copies.at(-1);
  const prices = await readPublicPrices(db, { isbn13, timeZone });
  return {
    ...facts,
    ...(await readShelfOf(db, isbn13)),
    author_pages: await readAuthorPages(db, facts.authors),
    copies,
    prices,
    history: await readHistory(db, { isbn13, timeZone, prices }),
    next: rows.length > limit && last !== undefined ? cursorOf(sort, last) : null,
  };
};
