import { hash } from 'node:crypto';

/** The entity tag of a body: strong for one form of it, weak (`W/`) for what all its forms share. */
export const etagOf = (body: Buffer, isWeak = false): string =>
  `${isWeak ? 'W/' : ''}"${hash('sha256', body, 'base64url').slice(0, 27)}"`;

/**
 * Whether an If-None-Match names `etag`, marked weak by a proxy or not. No pattern: one that looks for spaces around
 * commas takes half a second for a header that is nothing but spaces.
 */
export const isKnownEtag = (ifNoneMatch: string | undefined, etag: string): boolean => {
  const plain = (tag: string): string => (tag.startsWith('W/') ? tag.slice(2) : tag);
  return ifNoneMatch?.split(',').some((one) => plain(one.trim()) === plain(etag)) ?? false;
};
