import type { Listing } from '#contract/catalog/catalog.ts';

// One for all: a page's source says it once.
const SOME_PHOTO = {};

/** A copy as a page's source has it: the rest, as what its seller wrote of it, would be there for nothing. */
export const listedCopy = (listing: Listing) => ({
  _id: listing._id,
  title: listing.title,
  authors: listing.authors,
  published_year: listing.published_year,
  image_url: listing.image_url,
  // What colour and shape the photo has a list does not show.
  photo: listing.photo === null ? null : SOME_PHOTO,
  Seller: listing.Seller,
  seller_slug: listing.seller_slug,
  seller_verified: listing.seller_verified,
  original_price: listing.original_price,
  resale_price: listing.resale_price,
  location: listing.location,
  condition: listing.condition,
  status: listing.status,
  waiting: listing.waiting,
});

/** What a list shows of a copy. */
export type ListedCopy = ReturnType<typeof listedCopy>;
