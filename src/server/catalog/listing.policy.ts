import type { SignedIn, Viewer } from '#server/platform/viewer.ts';
import type { ListingState } from './catalog.table.ts';

/** A seller's phone and address are for people who said who they are. */
export const maySeeContact = (viewer: Viewer): boolean => viewer.kind === 'signed-in';

/** In production nobody sells before their address is proven: buyers must be able to reach them. */
export const maySell = (viewer: SignedIn, mode: 'demo' | 'production'): boolean =>
  viewer.isSeller && (mode === 'demo' || viewer.emailProvenAt !== null);

/** Withdrawn copies are out of sight; a sold one can still be looked up by whoever has its address. */
export const isReadable = (status: ListingState): boolean => status !== 'withdrawn';
