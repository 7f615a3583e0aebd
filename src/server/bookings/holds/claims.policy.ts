import type { BookingDraft } from '#contract/bookings/bookings.ts';
import type { FieldErrors } from '#contract/errors.ts';
import { isAddressOf, type SignedIn } from '#server/platform/viewer.ts';

/** What is left blank claims nothing. */
const isOther = (said: string, known: string): boolean => said.trim() !== '' && said.trim() !== known.trim();

/** What a booking says of its buyer that is not so. */
export const untrueOfBuyer = (draft: Pick<BookingDraft, 'buyer' | 'email'>, buyer: SignedIn): FieldErrors => ({
  ...(isOther(draft.buyer, buyer.name) && { buyer: 'Your name is another; please load the page again' }),
  ...(!isAddressOf(draft.email.trim(), buyer) && { email: 'This address is not yours' }),
});

/** What a booking says of its copy that is not so. */
export const untrueOfCopy = (
  draft: Pick<BookingDraft, 'title' | 'image_url'>,
  copy: { readonly title: string; readonly imageUrl: string },
): FieldErrors => ({
  ...(isOther(draft.title, copy.title) && { title: 'The title of this book has changed' }),
  ...(isOther(draft.image_url, copy.imageUrl) && { image_url: 'The picture of this book has changed' }),
});
