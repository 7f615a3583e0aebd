import type { BookingDraft } from '#contract/bookings/bookings.ts';
import { pictureMeant } from '#contract/catalog/photo-sizes.ts';
import type { FieldErrors } from '#contract/errors.ts';
import { isAddressOf, type SignedIn } from '#server/platform/viewer.ts';

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

/** What is left blank claims nothing. */
const isOther = (said: string, known: string): boolean => said.trim() !== '' && said.trim() !== known.trim();

/** What a booking says of its buyer that is not so. */
export const untrueOfBuyer = (draft: Pick<BookingDraft, 'buyer' | 'email'>, buyer: SignedIn): FieldErrors => ({
  ...(isOther(draft.buyer, buyer.name) && { buyer: 'Your name is another; please load the page again' }),
  ...(!isAddressOf(draft.email.trim(), buyer) && { email: 'This address is not yours' }),
});

/**
 * What a booking says of its copy that is not so. A picture is named as the shop at `publicUrl` tells of it, or as it
 * did before it had fetched it.
 */
export const untrueOfCopy = (
  draft: Pick<BookingDraft, 'title' | 'image_url'>,
  copy: { readonly title: string; readonly imageUrl: string; readonly imageSource: string },
  publicUrl: string,
): FieldErrors => {
  const picture = pictureMeant(draft.image_url, publicUrl);
  const isOtherPicture = isOther(picture, copy.imageUrl) && isOther(picture, copy.imageSource);
  return {
    ...(isOther(draft.title, copy.title) && { title: 'The title of this book has changed' }),
    ...(isOtherPicture && { image_url: 'The picture of this book has changed' }),
  };
};
