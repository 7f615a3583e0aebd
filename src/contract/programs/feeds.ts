import { Type } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { Text } from '#contract/scalars.ts';
import { SEARCH_TEXT_MAX, SearchFilters } from '#contract/catalog/search.ts';

/** Copies in a feed of a search. */
export const FEED_COPIES = 50;

/** The newest 50 copies that a search finds, of a category with `category`, of a seller with `seller` (RFC 4287). */
export const searchFeed = endpoint({
  method: 'GET',
  path: '/feeds/search.atom',
  summary: 'The newest copies of a search, a category or a seller as a feed',
  access: 'everybody',
  query: Type.Object({ q: Type.Optional(Text(SEARCH_TEXT_MAX)), ...SearchFilters }),
  status: 200,
  answer: Type.String(),
  stream: 'application/atom+xml; charset=utf-8',
  personal: false,
});

/**
 * What is for sale and has a picture, of a seller by their page's name or of all, as the product data of Google
 * Merchant Center (RSS 2.0), written while it is sent. 404 for no such seller.
 */
export const googleFeed = endpoint({
  method: 'GET',
  path: '/feeds/google.xml',
  summary: 'Products for Google Merchant Center, of a seller or of all',
  access: 'everybody',
  query: Type.Object({ seller: Type.Optional(Text(100, 1)) }),
  status: 200,
  answer: Type.String(),
  stream: 'application/rss+xml; charset=utf-8',
  personal: false,
});
