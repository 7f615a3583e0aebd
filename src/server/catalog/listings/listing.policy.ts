import type { SignedIn, Viewer } from '#server/platform/viewer.ts';
import type { ListingState } from '#server/catalog/catalog.table.ts';

/**
 * A seller's phone and address are for users whose own address is proven: an account made up in a minute reads
 * nobody's.
 */
export const maySeeContact = (viewer: Viewer): boolean => viewer.kind === 'signed-in' && viewer.emailProvenAt !== null;

/** In production nobody sells before their address is proven: buyers must be able to reach them. */
export const maySell = (viewer: SignedIn, mode: 'demo' | 'production'): boolean =>
  viewer.isSeller && (mode === 'demo' || viewer.emailProvenAt !== null);

/** Withdrawn copies are out of sight; a sold one can still be looked up by whoever has its address. */
export const isReadable = (status: ListingState): boolean => status !== 'withdrawn';

/** A buyer has a claim on a held copy and has bought a sold one: neither is changed or taken away. */
export const isLocked = (state: ListingState): state is 'held' | 'sold' => state === 'held' || state === 'sold';

interface Whose {
  readonly sellerId: string;
  readonly state: ListingState;
}

/** Sellers edit what is theirs and was not deleted. */
export const mayEdit = (viewer: SignedIn, listing: Whose): boolean =>
  listing.state !== 'withdrawn' && viewer.userId === listing.sellerId;

/** Who may delete listings at all. */
export const mayManageListings = (viewer: SignedIn): boolean => viewer.isSeller || viewer.isAdmin;

/** Sellers delete what is theirs, admins anything; what was deleted is not there any more. */
export const mayDelete = (viewer: SignedIn, listing: Whose): boolean =>
  listing.state !== 'withdrawn' && (viewer.userId === listing.sellerId || viewer.isAdmin);
