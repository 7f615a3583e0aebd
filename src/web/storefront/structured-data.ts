import type { Listing } from '#contract/catalog.ts';

/** A copy as schema.org's Book with its Offer. A reserved copy cannot be bought for now, so it is not in stock. */
export const structuredData = (listing: Listing, url: string) => ({
  '@context': 'https://schema.org',
  '@type': 'Book',
  '@id': url,
  url,
  name: listing.title,
  ...(listing.authors !== '' && { author: { '@type': 'Person', name: listing.authors } }),
  ...(listing.isbn13 !== '' && { isbn: listing.isbn13 }),
  ...(listing.publisher !== '' && { publisher: { '@type': 'Organization', name: listing.publisher } }),
  ...(listing.published_year !== null && { datePublished: String(listing.published_year) }),
  ...(listing.image_url !== '' && { image: listing.image_url }),
  ...(listing.details !== '' && { description: listing.details }),
  genre: listing.category_name,
  offers: {
    '@type': 'Offer',
    url,
    price: listing.resale_price.toFixed(2),
    priceCurrency: 'USD',
    itemCondition: 'https://schema.org/UsedCondition',
    availability: `https://schema.org/${listing.status === 'Available' ? 'InStock' : 'OutOfStock'}`,
    availableAtOrFrom: { '@type': 'Place', name: listing.location },
    seller: { '@type': 'Person', name: listing.Seller },
  },
});
