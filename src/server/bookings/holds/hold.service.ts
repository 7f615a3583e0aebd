import { randomUUID } from 'node:crypto';
import { MAX_UNPAID_HOLDS } from '#contract/bookings/bookings.ts';
import type { CopyPromise } from '#contract/bookings/promise.ts';
import {
  holdCopy,
  lockCopy,
  mayBePassedOn,
  releaseCopy,
  type CopyToBook,
} from '#server/catalog/listings/listing.service.ts';
import { unpauseCopy } from '#server/catalog/listings/pausing/pausing.service.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { AppError } from '#server/platform/errors.ts';
import {
  bookAnew,
  insertBooking,
  lockOpenBooking,
  markOffered,
  type NewBooking,
} from '#server/bookings/booking.queries.ts';
import {
  allowRenewal,
  countHolds,
  deleteHold,
  findHoldEnd,
  insertHold,
  listHeldTitles,
  lockBuyerHolds,
  lockHoldOfListing,
  readRoomForHold,
  renewHold,
} from './holds.queries.ts';
import {
  deleteWaitlistEntry,
  findFirstWaiting,
  isSomebodyWaiting,
  readLastContact,
  type FirstWaiting,
} from '#server/bookings/waitlist/waitlist.queries.ts';
import { closeWaitlist } from '#server/bookings/waitlist/waitlist.service.ts';
import { selectHeldPromise } from './promise.queries.ts';
import { keepPromise } from './promise.service.ts';

/** Why a claim on a copy could not be had. */
export type HoldRefusal = 'taken' | 'releasing' | 'waited-for';

export interface Claim {
  readonly listingId: string;
  readonly bookingId: string;
  readonly buyerId: string;
  readonly minutes: number;
}

/** A claim that is had: when it ends, and what the copy costs its buyer. */
export interface Claimed {
  readonly expiresAt: Date;
  readonly priceCents: number;
}

/** The claim cannot be had: the refusal a buyer is told. */
export const holdRefused = (why: HoldRefusal): AppError => {
  switch (why) {
    case 'taken':
      return new AppError('hold_lost', 'Someone else has this book now');
    case 'waited-for':
      return new AppError('hold_lost', 'Your time for this book is over, and another reader was waiting for it');
    case 'releasing':
      return new AppError('hold_lost', 'This booking is just being released; please try again in a moment', {
        retryAfterSeconds: 2,
      });
    default:
      return why satisfies never;
  }
};

export const priceChanged = (): AppError =>
  new AppError('price_changed', 'The price has changed', { fields: { price: 'The price has changed' } });

/** 429 for a buyer who has as many claims as one may, on the books that are named; the first ends within `minutes`. */
export const requireRoomForHold = async (trx: Trx, buyerId: string, held: number, minutes: number): Promise<void> => {
  if (held < MAX_UNPAID_HOLDS) return;
  const titles = (await listHeldTitles(trx, buyerId)).join(', ');
  throw new AppError(
    'too_many',
    `You have ${MAX_UNPAID_HOLDS} unpaid books already: ${titles}. Pay for one or cancel one first`,
    { retryAfterSeconds: minutes * 60 },
  );
};

/**
 * Takes or renews the exclusive claim of a booking on its copy. The caller has the buyer's turn (`lockBuyerHolds`) and
 * then the booking's row lock, in this order. Answers when the claim ends, or why it could not be had; 409 when the
 * copy is not what was promised any more; a buyer with five other claims gets 429, told after that. While others wait
 * in line a claim keeps its end, and one that is over is lost; nobody has one for longer than twice its time.
 */
export const takeOrRenewHold = async (trx: Trx, claim: Claim): Promise<Claimed | HoldRefusal> => {
  const current = await lockHoldOfListing(trx, claim.listingId);
  if (current?.bookingId === claim.bookingId) {
    if (current.releasing) return 'releasing';
    const mayRenew = !(await isSomebodyWaiting(trx, claim.listingId));
    if (!mayRenew && current.lapsed) return 'waited-for';
    const priceCents = await keepPromise(trx, claim.bookingId);
    const expiresAt = mayRenew ? await renewHold(trx, claim.bookingId, claim.minutes) : current.expiresAt;
    // Its time is over for good: the copy goes on the shelf within seconds, for this buyer as for all.
    return expiresAt === undefined ? 'releasing' : { expiresAt, priceCents };
  }
  if (current !== undefined || !(await holdCopy(trx, claim.listingId))) return 'taken';
  // From here on nobody edits the copy; before, its seller may have, since the buyer looked or their last hold ended.
  const priceCents = await keepPromise(trx, claim.bookingId);
  const held = await countHolds(trx, claim.buyerId, claim.bookingId);
  await requireRoomForHold(trx, claim.buyerId, held, claim.minutes);
  // Who has the copy does not wait for it.
  await deleteWaitlistEntry(trx, claim.listingId, claim.buyerId);
  return { expiresAt: await insertHold(trx, claim), priceCents };
};

/** Between looking and locking somebody else became the first in line: look again. */
class WaitlistMoved extends Error {
  override readonly name = 'WaitlistMoved';
}

const MAX_LOOKS = 5;

/** Whose turn it will be when a copy becomes free, known before anything is locked. */
export interface Waiting {
  readonly next: FirstWaiting | undefined;
}

/**
 * Runs `work`, which may end the hold of a copy, with the turn of the first in line taken: turns come before the rows
 * of bookings and copies, so that nobody waits in a circle. Looks again when the line has moved meanwhile.
 */
export const withFirstWaitingLocked = async <A>(
  db: Db,
  listingId: string,
  work: (trx: Trx, waiting: Waiting) => Promise<A>,
): Promise<A> => {
  for (let looks = 1; ; looks += 1) {
    const next = await findFirstWaiting(db, listingId);
    try {
      return await db.transaction().execute(async (trx) => {
        if (next !== undefined) await lockBuyerHolds(trx, next.buyerId);
        return work(trx, { next });
      });
    } catch (error) {
      if (!(error instanceof WaitlistMoved)) throw error;
      if (looks === MAX_LOOKS) {
        throw new AppError('unavailable', 'Many people want this at once; please try again', { retryAfterSeconds: 1 });
      }
    }
  }
};

/** A claim that was given up: when it ended or would have, and whether the copy is on the shelf again. */
export interface GivenUp {
  readonly expiredAt: Date;
  readonly isFree: boolean;
}

/**
 * Gives up a booking's claim: the first in line gets the copy, which never is on the shelf for others meanwhile;
 * without a line it goes back on the shelf. Undefined when there was no claim, which is harmless. The caller holds the
 * booking's row lock, inside `withFirstWaitingLocked`.
 */
export const giveUpHold = async (
  trx: Trx,
  booking: { id: string; listingId: string },
  waiting: Waiting & { minutes: number },
): Promise<GivenUp | undefined> => {
  const open = waiting.next && (await lockOpenBooking(trx, booking.listingId, waiting.next.buyerId));
  const expiredAt = await deleteHold(trx, booking.id);
  if (expiredAt === undefined) return undefined;
  const copy = await lockCopy(trx, booking.listingId);
  if (copy === undefined) throw new Error(`the copy of booking ${booking.id} is gone`);
  const first = await findFirstWaiting(trx, copy.id);
  if (first?.buyerId !== waiting.next?.buyerId) throw new WaitlistMoved();
  if (first !== undefined && (await mayBePassedOn(trx, copy.id))) {
    await passOn(trx, copy, { first, openId: open?.id, minutes: waiting.minutes });
    return { expiredAt, isFree: false };
  }
  await releaseCopy(trx, copy.id);
  const left = (await lockCopy(trx, copy.id))?.status;
  const isFree = left === 'available';
  // Whoever waits for a paused one goes on waiting.
  if (!isFree && left !== 'paused') await closeWaitlist(trx, { listingId: copy.id, title: copy.title, isSold: false });
  return { expiredAt, isFree };
};

/**
 * Puts a paused copy back: the first in line gets it, and without a line it is on the shelf. One that is not paused any
 * more is left alone. The caller has the lock of its seller's shelf, inside `withFirstWaitingLocked`.
 */
export const putBack = async (trx: Trx, listingId: string, waiting: Waiting & { minutes: number }): Promise<void> => {
  const open = waiting.next && (await lockOpenBooking(trx, listingId, waiting.next.buyerId));
  const copy = await lockCopy(trx, listingId);
  if (copy?.status !== 'paused') return;
  const first = await findFirstWaiting(trx, listingId);
  if (first?.buyerId !== waiting.next?.buyerId) throw new WaitlistMoved();
  if (!(await unpauseCopy(trx, listingId, first === undefined ? 'available' : 'held'))) return;
  if (first !== undefined) await passOn(trx, copy, { first, openId: open?.id, minutes: waiting.minutes });
};

/** What a booking writes down: the copy as it is, its buyer, and how they are reached. */
export const bookingOf = (
  copy: CopyToBook,
  buyer: { id: string; name: string; email: string },
  booking: { id: string; phone: string; location: string },
): NewBooking => ({
  id: booking.id,
  listingId: copy.id,
  buyerId: buyer.id,
  sellerId: copy.sellerId,
  title: copy.title,
  authors: copy.authors,
  imageUrl: copy.imageUrl,
  condition: copy.condition,
  details: copy.details,
  priceCents: copy.priceCents,
  buyerName: buyer.name,
  buyerEmail: buyer.email,
  phone: booking.phone,
  location: booking.location,
});

/** What an earlier booking was promised stands: Pay tells what has changed since. */
const holdAnew = async (trx: Trx, claim: Claim, contact: { phone: string; location: string }): Promise<Date> => {
  await bookAnew(trx, claim.bookingId, contact);
  await deleteWaitlistEntry(trx, claim.listingId, claim.buyerId);
  return insertHold(trx, claim);
};

const bookFor = (
  trx: Trx,
  copy: CopyToBook,
  next: { first: FirstWaiting; booking: { id: string; phone: string; location: string }; minutes: number },
): Promise<Date> => {
  const buyer = { id: next.first.buyerId, ...next.first };
  return insertBooking(trx, bookingOf(copy, buyer, next.booking), next.minutes);
};

/** Holds a copy for somebody, by the booking of it that they have, or by a new one. */
const takeFor = async (
  trx: Trx,
  copy: CopyToBook,
  taker: { first: FirstWaiting; openId: string | undefined; bookingId: string; minutes: number },
): Promise<Date> => {
  const { first, openId, bookingId, minutes } = taker;
  const contact = await readLastContact(trx, first.buyerId);
  return openId === undefined
    ? bookFor(trx, copy, { first, booking: { id: bookingId, ...contact }, minutes })
    : holdAnew(trx, { listingId: copy.id, bookingId, buyerId: first.buyerId, minutes }, contact);
};

const passOn = async (
  trx: Trx,
  copy: CopyToBook,
  waiting: { first: FirstWaiting; openId: string | undefined; minutes: number },
): Promise<void> => {
  const { first } = waiting;
  const bookingId = waiting.openId ?? randomUUID();
  const until = await takeFor(trx, copy, { ...waiting, bookingId });
  await queueMail(trx, {
    kind: 'line-turn',
    key: `line-turn:${bookingId}:${until.toISOString()}`,
    to: { email: first.email, name: first.name },
    data: { title: copy.title, priceCents: copy.priceCents, bookingId, heldUntil: until.toISOString() },
  });
};

/** A copy that is held for a reader who did not ask for it just now. */
export interface HeldFor {
  readonly bookingId: string;
  readonly until: Date;
  readonly title: string;
  readonly priceCents: number;
  readonly promise: CopyPromise;
}

/**
 * Takes a paused copy off the way to the shelf and holds it for a reader, for `minutes` and, once they take it, for
 * `payMinutes` more. The caller has the lock of their holds. Undefined where the copy is not paused any more, or the
 * reader has as many claims as one may.
 */
export const holdForReader = async (
  trx: Trx,
  listingId: string,
  reader: FirstWaiting,
  { minutes, payMinutes }: { minutes: number; payMinutes: number },
): Promise<HeldFor | undefined> => {
  const { held } = await readRoomForHold(trx, reader.buyerId, minutes);
  if (held >= MAX_UNPAID_HOLDS) return undefined;
  const open = await lockOpenBooking(trx, listingId, reader.buyerId);
  const copy = await lockCopy(trx, listingId);
  if (copy?.status !== 'paused' || !(await unpauseCopy(trx, listingId, 'held'))) return undefined;
  const bookingId = open?.id ?? randomUUID();
  const until = await takeFor(trx, copy, { first: reader, openId: open?.id, bookingId, minutes });
  if (open === undefined) await markOffered(trx, bookingId);
  await allowRenewal(trx, bookingId, payMinutes);
  const promise = await selectHeldPromise(trx, listingId);
  if (promise === undefined) throw new Error(`the copy ${listingId} was taken as held and is not`);
  return { bookingId, until, title: copy.title, priceCents: copy.priceCents, promise };
};

/** Until when a buyer holds a copy; undefined where nobody does. */
export const holdEndOf = (db: Db, listingId: string): Promise<Date | undefined> => findHoldEnd(db, listingId);
