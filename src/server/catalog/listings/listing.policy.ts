import type { SignedIn, Viewer } from '#server/platform/viewer.ts';
import type { PictureFetching } from '#server/catalog/photos/listing-photos.service.ts';
import type { ShownContacts } from './listing-json.queries.ts';
import type { HoldForLook } from './looks.service.ts';
import type { ListingState } from '#server/catalog/catalog.table.ts';

interface Whose {
  readonly sellerId: string;
  readonly state: ListingState;
}

/** People reach each other through the shop: admins see the sellers' contacts, sellers their own. */
export const shownContacts = (viewer: Viewer): ShownContacts => {
  if (viewer.kind === 'anonymous') return { of: 'none' };
  if (viewer.isAdmin) return { of: 'all' };
  return viewer.isSeller ? { of: 'seller', id: viewer.userId } : { of: 'none' };
};

/** In production nobody sells before their address is proven: buyers must be able to reach them. */
export const maySell = (viewer: SignedIn, mode: 'demo' | 'production'): boolean =>
  viewer.isSeller && (mode === 'demo' || viewer.emailProvenAt !== null);

/** Everybody may look up what is not withdrawn or paused, a sold one too. */
export const isPublic = (state: ListingState): boolean => state !== 'withdrawn' && state !== 'paused';

/** Withdrawn copies are out of sight, paused ones of everybody but their sellers. */
export const isReadable = (viewer: Viewer, listing: Whose): boolean =>
  isPublic(listing.state) ||
  (listing.state === 'paused' && viewer.kind === 'signed-in' && viewer.userId === listing.sellerId);

/** A buyer has a claim on a held copy and has bought a sold one: neither is changed or taken away. */
export const isLocked = (state: ListingState): state is 'held' | 'sold' => state === 'held' || state === 'sold';

/** What the rules of selling hang on. */
export interface SellingOptions {
  readonly mode: 'demo' | 'production';
  /** Where users see the shop. */
  readonly publicUrl: string;
  /** How typed addresses of pictures become photos; absent: they are kept as they are. */
  readonly pictures?: PictureFetching | undefined;
  /** Whether an admin looks at a copy before it is on the shelf; absent: at none. */
  readonly holdForLook?: HoldForLook | undefined;
}

/** Sellers edit what is theirs and was not deleted. */
export const mayEdit = (viewer: SignedIn, listing: Whose): boolean =>
  listing.state !== 'withdrawn' && viewer.userId === listing.sellerId;

/** Who may delete listings at all. */
export const mayManageListings = (viewer: SignedIn): boolean => viewer.isSeller || viewer.isAdmin;

/** Sellers delete what is theirs, admins anything; what was deleted is not there any more. */
export const mayDelete = (viewer: SignedIn, listing: Whose): boolean =>
  listing.state !== 'withdrawn' && (viewer.userId === listing.sellerId || viewer.isAdmin);
