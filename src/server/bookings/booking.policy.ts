import type { SignedIn } from '#server/platform/viewer.ts';

interface Parties {
  readonly buyerId: string;
  readonly sellerId: string;
}

/** Its buyer, the seller of the copy and admins see a booking. */
export const maySee = (viewer: SignedIn, booking: Parties): boolean =>
  viewer.userId === booking.buyerId || viewer.userId === booking.sellerId || viewer.isAdmin;

/** The seller learns how to reach the buyer once the copy is paid for. */
export const maySeeContact = (viewer: SignedIn, booking: Parties & { paid: boolean }): boolean =>
  viewer.userId === booking.buyerId || viewer.isAdmin || booking.paid;

/** A seller learns where the buyer can be reached once the copy is paid for, whatever else the seller may be. */
export const sellerMayReachBuyer = (booking: { paid: boolean }): boolean => booking.paid;

/** Nobody buys their own copy. */
export const mayBook = (viewer: SignedIn, copy: { sellerId: string }): boolean => viewer.userId !== copy.sellerId;
