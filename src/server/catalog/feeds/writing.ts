// Feeds as text: pure.
import type { Listing } from '#contract/catalog/catalog.ts';
import { formatDollars } from '#contract/money/money.ts';
import { escape } from '#server/platform/escape.ts';

/** What XML 1.0 cannot hold however it is written is left out. */
// oxlint-disable-next-line no-control-regex -- these are what is left out
const UNWRITABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

export const xmlText = (text: string): string => escape(text.toWellFormed().replace(UNWRITABLE, ''));

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';

export interface AtomFeed {
  /** Where the feed is, and the page that shows the same. */
  readonly self: string;
  readonly page: string;
  readonly title: string;
  /** ISO 8601. */
  readonly updated: string;
  readonly listings: readonly Listing[];
  readonly publicUrl: string;
}

const entry = (
  { _id: id, title, authors, condition, resale_price, location, details, published_date, image_url, Seller }: Listing,
  publicUrl: string,
): string => {
  const facts = [formatDollars(resale_price), condition, location].filter((fact) => fact !== '').join(' · ');
  return `<entry><id>urn:uuid:${id}</id><title>${xmlText(authors === '' ? title : `${title}, ${authors}`)}</title>
<link rel="alternate" type="text/html" href="${xmlText(`${publicUrl}/book/${id}`)}"/>
${image_url === '' ? '' : `<link rel="enclosure" type="image/webp" href="${xmlText(image_url)}"/>\n`}<updated>${published_date}</updated>
<author><name>${xmlText(Seller)}</name></author>
<summary>${xmlText(facts)}</summary><content type="text">${xmlText(`${facts}\n\n${details}`)}</content></entry>
`;
};

/** A feed as Atom (RFC 4287) has it. */
export const atomOf = ({ self, page, title, updated, listings, publicUrl }: AtomFeed): string =>
  `${XML}<feed xmlns="http://www.w3.org/2005/Atom"><id>${xmlText(self)}</id><title>${xmlText(title)}</title>
<updated>${updated}</updated><link rel="self" type="application/atom+xml" href="${xmlText(self)}"/>
<link rel="alternate" type="text/html" href="${xmlText(page)}"/><author><name>Dogear</name></author>
${listings.map((listing) => entry(listing, publicUrl)).join('')}</feed>
`;

/** A copy as Google Merchant Center knows it. */
export interface Product {
  readonly id: string;
  readonly title: string;
  readonly authors: string;
  readonly details: string;
  readonly condition: string;
  readonly isbn13: string;
  readonly publisher: string;
  readonly cents: number;
  readonly image: string;
}

const MAX_TITLE = 150;
const MAX_DESCRIPTION = 5_000;
/** Media > Books, in Google's list of products. */
const BOOKS = 784;
const CENTS = 100;

/** The first letters of a text, whole ones. */
const cut = (text: string, most: number): string => [...text].slice(0, most).join('');

export const googleHead = (title: string, page: string): string =>
  `${XML}<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>${xmlText(title)}</title>
<link>${xmlText(page)}</link><description>${xmlText(`${title}: second-hand books`)}</description>
`;

/** An item with the fields that Google asks for of a used book. */
export const googleItem = (product: Product, publicUrl: string): string => {
  const { id, title, authors, details, condition, isbn13, publisher, cents, image } = product;
  const name = authors === '' ? title : `${title} by ${authors}`;
  const told = details === '' ? `${name}. Condition: ${condition}.` : details;
  const known = isbn13 === '' ? '<g:identifier_exists>no</g:identifier_exists>' : `<g:gtin>${xmlText(isbn13)}</g:gtin>`;
  return `<item><g:id>${id}</g:id><title>${xmlText(cut(name, MAX_TITLE))}</title>
<description>${xmlText(cut(told, MAX_DESCRIPTION))}</description><link>${xmlText(`${publicUrl}/book/${id}`)}</link>
<g:image_link>${xmlText(image)}</g:image_link><g:availability>in_stock</g:availability><g:condition>used</g:condition>
<g:price>${(cents / CENTS).toFixed(2)} USD</g:price>${known}${publisher === '' ? '' : `<g:brand>${xmlText(publisher)}</g:brand>`}<g:google_product_category>${BOOKS}</g:google_product_category></item>
`;
};

export const GOOGLE_END = '</channel></rss>\n';
