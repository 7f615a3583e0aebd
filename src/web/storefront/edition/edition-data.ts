import type { MetaDescriptor } from 'react-router';
import type { AuthorAnswer } from '#contract/catalog/authors.ts';
import type { EditionAnswer, ShelvedCopy } from '#contract/catalog/editions/edition-page.ts';
import { dollarsOf } from '#contract/money/money.ts';
import { CONTEXT, written, type Where } from '#web/storefront/book/structured-data.ts';
import { bookPath } from '#web/storefront/lists/listing-words.ts';
import { authorPath, editionPath } from './addresses.ts';

const USED = `${CONTEXT}/UsedCondition`;

/** Nothing of who sells it and where: search engines come to the copy's own page for that. */
const offerOf = ({ _id: id, resale_price: price, status }: ShelvedCopy, origin: string) => ({
  '@type': 'Offer',
  url: `${origin}${bookPath(id)}`,
  price: price.toFixed(2),
  priceCurrency: 'USD',
  itemCondition: USED,
  availability: `${CONTEXT}/${status === 'Available' ? 'InStock' : 'OutOfStock'}`,
});

const FORMATS: Readonly<Record<string, string>> = {
  hardcover: 'Hardcover',
  paperback: 'Paperback',
  'mass market': 'Paperback',
  audio: 'AudiobookFormat',
};

/** An edition as schema.org's Book with the offers on the page. */
const editionData = (edition: EditionAnswer, origin: string) => {
  const { isbn13, title, author_pages: authors, publisher, year, pages, binding, photo, from, count } = edition;
  const url = `${origin}${editionPath(isbn13)}`;
  const highest = Math.max(...edition.prices.map(({ asked }) => asked?.high ?? 0));
  const format = FORMATS[binding];
  return {
    '@context': CONTEXT,
    '@type': 'Book',
    '@id': url,
    url,
    name: title,
    isbn: isbn13,
    ...(authors.length > 0 && {
      author: authors.map(({ name, slug }) => ({ '@type': 'Person', name, url: `${origin}${authorPath(slug)}` })),
    }),
    ...(publisher !== '' && { publisher: { '@type': 'Organization', name: publisher } }),
    ...(year !== null && { datePublished: String(year) }),
    ...(pages !== null && { numberOfPages: pages }),
    ...(format !== undefined && { bookFormat: `${CONTEXT}/${format}` }),
    ...(photo !== null && { image: edition.image_url }),
    ...(from !== null && {
      offers: {
        '@type': 'AggregateOffer',
        priceCurrency: 'USD',
        lowPrice: from.toFixed(2),
        highPrice: dollarsOf(highest).toFixed(2),
        offerCount: count,
        itemCondition: USED,
        offers: edition.copies.map((copy) => offerOf(copy, origin)),
      },
    }),
  };
};

/** An author's books as schema.org's ItemList, in the order they stand on the page. */
const authorData = ({ name, slug, books }: AuthorAnswer, origin: string) => ({
  '@context': CONTEXT,
  '@type': 'ItemList',
  name: `Books by ${name}`,
  numberOfItems: books.length,
  itemListElement: books.map((book, place) => {
    const url = `${origin}${book.isbn13 === '' ? bookPath(book._id) : editionPath(book.isbn13)}`;
    return {
      '@type': 'ListItem',
      position: place + 1,
      item: {
        '@type': 'Book',
        url,
        name: book.title,
        author: { '@type': 'Person', name, url: `${origin}${authorPath(slug)}` },
        ...(book.isbn13 !== '' && { isbn: book.isbn13 }),
        ...(book.photo !== null && { image: book.image_url }),
        offers: {
          '@type': 'AggregateOffer',
          priceCurrency: 'USD',
          lowPrice: book.from.toFixed(2),
          offerCount: book.copies,
          itemCondition: USED,
        },
      },
    };
  }),
});

/** What the page of an edition tells search engines. */
export const editionScript = (where: Where, edition: EditionAnswer): MetaDescriptor[] =>
  import.meta.env.SSR ? written(where, (origin) => editionData(edition, origin)) : [];

/** What the page of an author tells search engines. */
export const authorScript = (where: Where, author: AuthorAnswer): MetaDescriptor[] =>
  import.meta.env.SSR ? written(where, (origin) => authorData(author, origin)) : [];
