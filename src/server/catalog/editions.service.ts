import { EDITION_COPIES_SHOWN, EDITION_COUNT_LIMIT, type EditionCopy } from '#contract/catalog/editions/editions.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { notFound } from '#server/platform/errors.ts';
import { editionOf, listCopiesOf } from './editions.queries.ts';
import { isPublic } from './listings/listing.policy.ts';

/** The other free copies of the edition that a copy belongs to, the cheapest first; 404 when there is no such copy. */
export const listEditionCopies = async (
  db: Db,
  listingId: string,
): Promise<{ copies: EditionCopy[]; count: number }> => {
  const edition = await editionOf(db, listingId);
  if (edition === undefined || !isPublic(edition.state)) throw notFound('There is no such book');
  const copies = await listCopiesOf(db, edition, {
    listingId,
    limit: EDITION_COPIES_SHOWN,
    countAtMost: EDITION_COUNT_LIMIT,
  });
  return { copies, count: copies[0]?.count ?? 0 };
};
