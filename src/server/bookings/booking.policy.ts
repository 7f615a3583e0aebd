import type { SignedIn } from '#server/platform/viewer.ts';

interface Parties {
  readonly buyerId: string;
  readonly sellerId: string;
}

/** Its buyer, the seller of the copy and admins see a booking. */
export const maySee = (viewer: SignedIn, booking: Parties): boolean =>
  viewer.userId === booking.buyerId || viewer.userId === booking.sellerId || viewer.isAdmin;

/**
 * Buyer and seller learn how to reach each other while a sale stands: once it is paid for, until `reachDays` after its
 * order has ended, and no more once it was refunded.
 */
export const mayReachEachOther = (
  booking: { paid: boolean; refunded: boolean; daysOver: number | null },
  reachDays: number,
): boolean => booking.paid && !booking.refunded && (booking.daysOver === null || booking.daysOver < reachDays);

/** Whether somebody sees a booking as the seller of its copy does, whatever else they may be. */
export const isSellerOf = (viewer: SignedIn, booking: Parties): boolean => viewer.userId === booking.sellerId;

/** Nobody buys their own copy. */
export const mayBook = (viewer: SignedIn, copy: { sellerId: string }): boolean => viewer.userId !== copy.sellerId;
