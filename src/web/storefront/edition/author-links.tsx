import { Fragment } from 'react';
import type { AuthorLink } from '#contract/catalog/author-links.ts';
import { authorPath } from './addresses.ts';

/** Who wrote a book, each a way to their page; as it is written where that names nobody. */
export const AuthorLinks = ({ authors, pages }: { authors: string; pages: readonly AuthorLink[] }) =>
  pages.length === 0
    ? authors
    : pages.map(({ name, slug }, place) => (
        <Fragment key={slug}>
          {place > 0 && ', '}
          <a href={authorPath(slug)} className="text-link">
            {name}
          </a>
        </Fragment>
      ));
