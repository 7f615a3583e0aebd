import { AUTHOR_SLUG_MAX, type AuthorAnswer, type AuthorSort } from '#contract/catalog/authors.ts';
import { limitOf, numberCursorOf, numberPositionOf } from '#server/platform/cursor.ts';
import { notFound } from '#server/platform/errors.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { readBooksOf, slugOf } from './author.queries.ts';

export interface AuthorInput {
  readonly slug: string;
  readonly sort?: AuthorSort | undefined;
  readonly limit?: string | undefined;
  readonly cursor?: string | undefined;
}

/**
 * An author's books with copies on the shelf, for everybody alike. Answers to each way of writing the slug, and says
 * which is the one. 400 for a cursor that is none; 404 where there is no copy. A page begins after so many books, as
 * all of them are counted for each: one listed meanwhile may shift it by one.
 */
export const readAuthor = async (
  db: Db,
  { slug: typed, sort = 'copies', limit: asked, cursor }: AuthorInput,
): Promise<AuthorAnswer> => {
  const limit = limitOf(asked);
  const offset = Number(numberPositionOf(cursor) ?? '0');
  const slug = await slugOf(db, typed);
  const nothing = slug === '' || slug.length > AUTHOR_SLUG_MAX;
  const found = nothing ? undefined : await readBooksOf(db, { slug, sort, limit, offset });
  if (found === undefined || found.count === 0) throw notFound('No copy of a book by this author is here');
  const shown = offset + found.books.length;
  return {
    slug,
    ...found,
    next: found.books.length === limit && shown < found.count ? numberCursorOf(String(shown)) : null,
  };
};
