import { objectOf } from '#server/platform/json-text.ts';

const LINK = objectOf([
  ['name', 'one.name'],
  ['slug', 'one.slug'],
]);

/**
 * Whoever the text `authors` names, with the slugs of their pages (db/migrations/0055-author-names.sql); each once, in
 * the order of the text.
 */
export const authorPages = (
  authors: string,
): string => `(SELECT coalesce(array_to_json(array_agg(${LINK} ORDER BY one.place)), '[]')
  FROM (SELECT DISTINCT ON (slug) name, slug, place FROM unnest(author_names(${authors})) WITH ORDINALITY AS n (name, place),
    author_slug(name) AS slug WHERE slug <> '' ORDER BY slug, place) AS one)`;
