import type { MetaArgs, MetaDescriptor } from 'react-router';
import type { Listing } from '#contract/catalog/catalog.ts';
import { sharedPhotoPath } from '#contract/catalog/photo-sizes.ts';
import { formatDollars } from '#contract/money/money.ts';
import { publicMeta } from '#web/shell/layout/page-meta.ts';
import { bookPath } from '#web/storefront/lists/listing-words.ts';
import { bookScript } from './structured-data.ts';

/** What search engines show of a description. */
const DESCRIPTION_LENGTH = 160;

const shortened = (words: string): string => {
  const text = words.trim().replace(/\s+/g, ' ');
  return text.length <= DESCRIPTION_LENGTH ? text : `${text.slice(0, DESCRIPTION_LENGTH - 1).trimEnd()}…`;
};

const nameOf = ({ title, authors }: Listing): string => (authors === '' ? title : `${title} by ${authors}`);

const describe = (listing: Listing): string => {
  const { condition, resale_price: price, location, details } = listing;
  const state = listing.status === 'Available' ? `for ${formatDollars(price)}` : listing.status.toLowerCase();
  return shortened(
    `${nameOf(listing)}: a second-hand copy in ${location}, ${condition.toLowerCase()}, ${state}. ${details}`,
  );
};

/** What is shown where the page is shared: of a photo its JPEG, which every service reads. */
const pictureOf = ({ photo, image_url: url }: Listing): string | undefined =>
  photo === null ? undefined : new URL(sharedPhotoPath(photo.name), url).href;

/** What a book's page says of itself to search engines and where it is shared. */
export const bookMeta = (args: Pick<MetaArgs, 'matches' | 'location'>, listing: Listing): MetaDescriptor[] => {
  return [
    ...publicMeta(args, {
      title: nameOf(listing),
      description: describe(listing),
      path: bookPath(listing._id),
      picture: pictureOf(listing),
      type: 'book',
    }),
    ...(listing.isbn13 === '' ? [] : [{ property: 'book:isbn', content: listing.isbn13 }]),
    ...bookScript(args, listing),
  ];
};
