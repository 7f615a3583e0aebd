import { useEffect } from 'react';
import type { MetaArgs, MetaDescriptor } from 'react-router';
import type { Listing } from '#contract/catalog/catalog.ts';
import type { ListedCopy } from '#web/storefront/lists/listed-copy.ts';
import { originOf } from '#web/shell/layout/page-meta.ts';
import { bookPath } from '#web/storefront/lists/listing-words.ts';

export const CONTEXT = 'https://schema.org';

/** A reserved copy cannot be bought for now, so it is not in stock. */
const offerOf = (listing: Listing, url: string) => ({
  '@type': 'Offer',
  url,
  price: listing.resale_price.toFixed(2),
  priceCurrency: 'USD',
  itemCondition: `${CONTEXT}/UsedCondition`,
  availability: `${CONTEXT}/${listing.status === 'Available' ? 'InStock' : 'OutOfStock'}`,
});

/** A copy as schema.org's Book with its Offer. */
const bookData = (listing: Listing, origin: string) => {
  const url = `${origin}${bookPath(listing._id)}`;
  return {
    '@context': CONTEXT,
    '@type': 'Book',
    '@id': url,
    url,
    name: listing.title,
    ...(listing.authors !== '' && { author: { '@type': 'Person', name: listing.authors } }),
    ...(listing.isbn13 !== '' && { isbn: listing.isbn13 }),
    ...(listing.photo !== null && { image: listing.image_url }),
    ...(listing.publisher !== '' && { publisher: { '@type': 'Organization', name: listing.publisher } }),
    ...(listing.published_year !== null && { datePublished: String(listing.published_year) }),
    ...(listing.details !== '' && { description: listing.details }),
    genre: listing.category_name,
    offers: {
      ...offerOf(listing, url),
      availableAtOrFrom: { '@type': 'Place', name: listing.location },
      seller: { '@type': 'Person', name: listing.Seller },
    },
  };
};

/**
 * Copies as schema.org's ItemList, in the order they stand on the page: where each one's page is, which tells the rest.
 * Said of every copy in a list, it was a tenth of what a list weighs.
 */
const shelfData = (listings: readonly ListedCopy[], origin: string) => ({
  '@context': CONTEXT,
  '@type': 'ItemList',
  numberOfItems: listings.length,
  itemListElement: listings.map(({ _id: id }, place) => ({
    '@type': 'ListItem',
    position: place + 1,
    url: `${origin}${bookPath(id)}`,
  })),
});

export type Where = Pick<MetaArgs, 'matches'>;

/**
 * Written by the server only: in the browser the router would make the element from text, which Trusted Types refuse.
 * It is data and never run, so the policy of scripts does not concern it.
 */
export const written = (where: Where, make: (origin: string) => object): MetaDescriptor[] => {
  const origin = originOf(where);
  return origin === undefined ? [] : [{ 'script:ld+json': { ...make(origin) } }];
};

/** What a book's page tells search engines of its copy. */
export const bookScript = (where: Where, listing: Listing): MetaDescriptor[] =>
  import.meta.env.SSR ? written(where, (origin) => bookData(listing, origin)) : [];

/** What a page of books tells search engines of the copies it lists; nothing when there are none. */
export const shelfScript = (where: Where, listings: readonly ListedCopy[] = []): MetaDescriptor[] =>
  import.meta.env.SSR && listings.length > 0 ? written(where, (origin) => shelfData(listings, origin)) : [];

/** What the server wrote for search engines describes the page of that answer, not one that is visited after it. */
export const useForgetStructuredData = (): void =>
  useEffect(() => () => document.head.querySelector('script[type="application/ld+json"]')?.remove(), []);
