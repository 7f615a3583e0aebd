import { randomUUID } from 'node:crypto';
import type { BookingDraft } from '#contract/bookings/bookings.ts';
import { pictureMeant } from '#contract/catalog/photo-sizes.ts';
import type { FieldErrors } from '#contract/errors.ts';
import { parseCents } from '#contract/money/money.ts';
import {
  findCopyToBook,
  holdCopy,
  lockFreeCopy,
  releaseCopy,
  sellCopy,
  type CopyToBook,
} from '#server/catalog/listings/listing.service.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { together } from '#server/platform/postgres/query.ts';
import { allOrNothing } from '#server/platform/postgres/savepoint.ts';
import { badFields, notFound, AppError } from '#server/platform/errors.ts';
import { requireGoodStanding, requireBuyer, type SignedIn, type Viewer } from '#server/platform/viewer.ts';
import { mailBookingMade } from './booking-mails.service.ts';
import { mayBecome } from './booking-moves.policy.ts';
import { mayBook, untrueOfBuyer, untrueOfCopy } from './booking.policy.ts';
import { bookAnew, insertBooking, lockOpenBooking, markPaid, type BookingFacts } from './booking.queries.ts';
import { bookingOf, priceChanged, requireRoomForHold, takeOrRenewHold } from './holds/hold.service.ts';
import { deleteHold, isOfferedPrice, lockBuyerHolds, readRoomForHold } from './holds/holds.queries.ts';
import { once } from './idempotency.service.ts';
import { closeWaitlist } from './waitlist/waitlist.service.ts';
import { readPromise } from './holds/promise.queries.ts';
import { changeOf } from './holds/promised-copy.ts';

// What payments needs of this module comes through this door.
export { mayBecome, stateOf, type BookingState } from './booking-moves.policy.ts';
export {
  findBooking,
  findOpenBookingsAtPrice,
  listSellersOf,
  lockBooking,
  lockBookings,
  markCancelled,
  markRefunded,
  markTaken,
  readTidings,
  type BookingFacts,
  type Tidings,
} from './booking.queries.ts';
export {
  giveUpHold,
  holdForReader,
  holdRefused,
  priceChanged,
  withFirstWaitingLocked,
  takeOrRenewHold,
  type Waiting,
} from './holds/hold.service.ts';
export {
  findHoldsOfBuyer,
  findHoldsToRelease,
  keepWhileConfirmed,
  lockBuyerHolds,
  markReleasing,
} from './holds/holds.queries.ts';

export interface BookingOptions {
  readonly holdMinutes: number;
  /** Where users see the shop. */
  readonly publicUrl: string;
  readonly idempotencyKey?: string | undefined;
}

interface Booked {
  readonly acknowledged: boolean;
  readonly insertedId: string;
  readonly holdExpiresAt: string;
}

const copyTaken = (): AppError => new AppError('copy_taken', 'Sorry, someone else has just booked this book');

/** What a buyer wants, once its form is known to be right. */
interface Wish {
  /** Undefined where the copy is known by title, picture and price alone. */
  readonly listingId: string | undefined;
  readonly title: string;
  readonly imageUrl: string;
  readonly priceCents: number;
  readonly phone: string;
  readonly location: string;
  readonly minutes: number;
}

/** A booking and when its hold ends. */
interface Held {
  readonly id: string;
  readonly expiresAt: Date;
}

/** What a booking hangs on. */
interface Seen {
  readonly copy: CopyToBook | 'none' | 'several';
  /** Whether nobody has the copy; then nobody gets or edits it until the transaction ends. */
  readonly isFree: boolean;
  /** The booking of this copy that the buyer has already. */
  readonly open: BookingFacts | undefined;
  /** How many copies they hold, and when a hold ends that is taken now. */
  readonly room: Awaited<ReturnType<typeof readRoomForHold>>;
}

/** 409 for what a booking says and the records say otherwise. */
const requireTrue = (untrue: FieldErrors): void => {
  const [first] = Object.values(untrue);
  if (first !== undefined) throw new AppError('record_differs', first, { fields: untrue });
};

/**
 * Books a copy: locks it while it is free and takes its exclusive hold, so of two buyers one wins and the other is
 * told. What the browser says of title, price and user is compared with the records, never obeyed.
 */
export const bookCopy = async (
  db: Db,
  viewer: Viewer,
  draft: BookingDraft,
  options: BookingOptions,
): Promise<Booked> => {
  const buyer = requireBuyer(viewer);
  requireTrue(untrueOfBuyer(draft, buyer));
  const priceCents = parseCents(draft.price);
  if (priceCents === undefined || priceCents === 0) throw badFields({ price: 'This is not a price' });
  const { phone, location, listingId } = draft;
  const seen = { title: draft.title.trim(), imageUrl: pictureMeant(draft.image_url, options.publicUrl) };
  const contact = { phone: phone.trim(), location: location.trim() };
  const { holdMinutes: minutes, publicUrl } = options;
  const wish = { ...seen, ...contact, listingId, priceCents, minutes };
  const request = { userId: buyer.userId, operation: 'POST /bookings', key: options.idempotencyKey, body: draft };
  return once(db, request, {
    lock: (trx) => lockBuyerHolds(trx, buyer.userId),
    look: (trx) => lookAt(trx, buyer, wish),
    work: async (trx, found) => booked(await takeCopy(trx, buyer, { draft, wish, publicUrl }, found)),
  });
};

const booked = ({ id, expiresAt }: Held): Booked => ({
  acknowledged: true,
  insertedId: id,
  holdExpiresAt: expiresAt.toISOString(),
});

/**
 * Locks what everybody locks in this order: the buyer's holds, which are locked already, their booking, the copy. A
 * second click waited for the first and finds its booking.
 */
const lookAt = async (trx: Trx, buyer: SignedIn, wish: Wish): Promise<Seen> => {
  const { userId } = buyer;
  const { listingId, title, imageUrl, priceCents } = wish;
  const meant =
    listingId === undefined ? await findCopyToBook(trx, { title, imageUrl, priceCents }) : { id: listingId };
  const id = typeof meant === 'string' ? undefined : meant.id;
  const [room, open, free] = await Promise.all([
    readRoomForHold(trx, userId, wish.minutes),
    id === undefined ? undefined : lockOpenBooking(trx, id, userId),
    id === undefined ? undefined : lockFreeCopy(trx, id),
  ]);
  if (typeof meant === 'string') return { copy: meant, isFree: false, open, room };
  const copy = free ?? (await findCopyToBook(trx, { listingId: meant.id }));
  return { copy, isFree: free !== undefined, open, room };
};

/** Books what was seen, or tells what stands in the way; a booking that the buyer has of the copy is taken up again. */
const takeCopy = async (
  trx: Trx,
  buyer: SignedIn,
  { draft, wish, publicUrl }: { draft: BookingDraft; wish: Wish; publicUrl: string },
  { copy, isFree, open, room }: Seen,
): Promise<Held> => {
  if (copy === 'none') throw notFound('There is no such book');
  if (copy === 'several') throw new AppError('copy_ambiguous', 'Several copies look like this; say which (listingId)');
  if (!mayBook(buyer, copy)) throw new AppError('own_copy', 'This is your own book');
  requireGoodStanding(buyer);
  if (copy.status === 'paused') throw notFound('There is no such book');
  requireTrue(untrueOfCopy(draft, copy, publicUrl));
  if (copy.priceCents !== wish.priceCents) throw priceChanged();
  if (copy.status === 'sold' || copy.status === 'withdrawn') throw copyTaken();
  const { title, priceCents } = copy;
  if (open !== undefined) {
    const held = await bookAgain(trx, open, wish);
    await mailBookingMade(trx, { id: held.id, title, priceCents, heldUntil: held.expiresAt }, buyer);
    return held;
  }
  if (!isFree) throw copyTaken();
  await requireRoomForHold(trx, buyer.userId, room.held, wish.minutes);
  const { userId: buyerId, name, email } = buyer;
  const [id, listingId] = [randomUUID(), copy.id];
  const { phone, location, minutes } = wish;
  const [isHeld] = await Promise.all([
    holdCopy(trx, listingId),
    insertBooking(trx, bookingOf(copy, { id: buyerId, name, email }, { id, phone, location }), minutes),
    mailBookingMade(trx, { id, title, priceCents, heldUntil: room.expiresAt }, buyer),
  ]);
  if (!isHeld) throw new Error(`the copy ${listingId} was locked as free and is not`);
  return { id, expiresAt: room.expiresAt };
};

/** The same booking once more, with what was written this time. */
const bookAgain = async (trx: Trx, open: BookingFacts, { minutes, phone, location }: Wish): Promise<Held> => {
  await bookAnew(trx, open.id, { phone, location });
  const { id, listingId, buyerId } = open;
  const claimed = await takeOrRenewHold(trx, { listingId, bookingId: id, buyerId, minutes });
  if (typeof claimed === 'string') throw copyTaken();
  return { id, expiresAt: claimed.expiresAt };
};

/**
 * Records that a booking is paid for: paid for good, its hold gone, its copy sold, the line behind it told. A booking
 * that lost its hold pays all the same while the copy is free and as it was promised. The caller holds the booking's
 * row lock. Answers false, having changed nothing, when the copy cannot be this booking's.
 */
const payBooking = async (trx: Trx, booking: BookingFacts): Promise<boolean> => {
  if (!mayBecome(booking, 'paid')) return false;
  const hold = await deleteHold(trx, booking.id);
  if (hold === undefined && !(await takeFreeCopy(trx, booking))) return false;
  const [isSold] = await together(
    trx,
    () => sellCopy(trx, booking.listingId),
    () => markPaid(trx, booking.id),
    () => closeWaitlist(trx, { listingId: booking.listingId, title: booking.title, isSold: true }),
  );
  if (!isSold) throw new Error(`the copy of booking ${booking.id} was held and is not`);
  return true;
};

/**
 * As `payBooking` for what one payment pays for: all or none of them. The caller holds all their row locks; copies are
 * taken in the order of their ids.
 */
export const payBookings = async (trx: Trx, bookings: readonly BookingFacts[]): Promise<boolean> => {
  const [only, ...more] = bookings.toSorted((a, b) => (a.listingId < b.listingId ? -1 : 1));
  if (only === undefined) return false;
  if (more.length === 0) return payBooking(trx, only);
  return allOrNothing(trx, async () => {
    for (const booking of [only, ...more]) if (!(await payBooking(trx, booking))) return false;
    return true;
  });
};

/** Whether a copy that nobody can edit meanwhile is what was promised, at the price that was paid. */
const isAsPromised = async (trx: Trx, booking: BookingFacts): Promise<boolean> =>
  (await isOfferedPrice(trx, booking.id)) && changeOf(booking.id, await readPromise(trx, booking.id)) === undefined;

/** Takes a copy that nobody holds, for a moment: false when it is gone, or is not what was promised any more. */
const takeFreeCopy = async (trx: Trx, booking: BookingFacts): Promise<boolean> => {
  if (!(await holdCopy(trx, booking.listingId))) return false;
  if (await isAsPromised(trx, booking)) return true;
  await releaseCopy(trx, booking.listingId);
  return false;
};
