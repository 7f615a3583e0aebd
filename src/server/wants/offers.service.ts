import { promisedInLine } from '#contract/bookings/promise-words.ts';
import { holdForReader, lockBuyerHolds, markTaken } from '#server/bookings/booking.service.ts';
import { isAround } from '#server/catalog/places/near.service.ts';
import { mayComeBack, unpauseCopy } from '#server/catalog/listings/pausing/pausing.service.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import { cancelBooking } from '#server/payments/settlement/release.service.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';
import { crashPoint } from '#server/platform/crash-points.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { requireBuyer, type Viewer } from '#server/platform/viewer.ts';
import {
  dropAside,
  findOffer,
  insertOffer,
  isOnlyAside,
  listAside,
  listCandidates,
  lockAside,
  markOffer,
  minutesOfOffer,
  sayToShelf,
  type Candidate,
  type OfferRow,
} from './offers.queries.ts';

const PAGE = 50;
const BATCH = 100;

/** Passing a copy on cancels its booking, for which the payment provider is asked. */
export type PassingDeps = PaymentDeps;

/** How long copies are offered. */
export interface OfferRules {
  readonly firstRefusalMinutes: number;
  readonly holdMinutes: number;
  readonly shopTimeZone: string;
}

/** Whoever waits longest for a copy that fits what they asked for. */
const firstFitting = async (db: Db, listingId: string): Promise<Candidate | undefined> => {
  for (let offset = 0; ; offset += PAGE) {
    const page = await listCandidates(db, listingId, { limit: PAGE, offset });
    for (const want of page) if (want.near === '' || (await isAround(want.near, want.km, want.location))) return want;
    if (page.length < PAGE) return undefined;
  }
};

/** Holds a copy for a reader and tells them; false where it could not be, and is to be looked at again. */
const offer = (db: Db, listingId: string, want: Candidate, rules: OfferRules): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    await lockBuyerHolds(trx, want.userId);
    if ((await lockAside(trx, listingId)) === undefined) return false;
    // Between looking and locking somebody may have changed what they want, or booked a fifth book.
    if ((await firstFitting(trx, listingId))?.id !== want.id || !(await isOnlyAside(trx, listingId))) return false;
    const minutes = await minutesOfOffer(trx, {
      userId: want.userId,
      minutes: rules.firstRefusalMinutes,
      timeZone: rules.shopTimeZone,
    });
    const reader = { buyerId: want.userId, name: want.name, email: want.email };
    const held = await holdForReader(trx, listingId, reader, { minutes, payMinutes: rules.holdMinutes });
    if (held === undefined) return false;
    const { bookingId, until, title, priceCents, promise } = held;
    const id = await insertOffer(trx, { wantId: want.id, listingId, bookingId, until });
    crashPoint('want-held');
    await queueMail(trx, {
      kind: 'want-offer',
      key: `want-offer:${id}`,
      to: { email: want.email, name: want.name },
      data: { offerId: id, title, priceCents, words: promisedInLine(promise), heldUntil: until.toISOString() },
    });
    return true;
  });

/** Puts a copy on the shelf that nobody wants as it is; one that is paused for another reason stays so. */
const letGo = (db: Db, listingId: string, sellerId: string): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const mayBeSeen = await mayComeBack(trx, sellerId);
    if ((await lockAside(trx, listingId)) === undefined) return;
    if (mayBeSeen && (await isOnlyAside(trx, listingId))) {
      await sayToShelf(trx, listingId);
      await unpauseCopy(trx, listingId, 'available');
    }
    await dropAside(trx, listingId);
  });

/**
 * Offers what was set aside to whoever waits longest for it, and puts the rest on the shelf. Ended in the middle, a
 * copy is aside still, and the next who looks goes on. Answers how many were offered.
 */
export const offerCopies = async (
  db: Db,
  rules: OfferRules,
  onError: (error: unknown, listingId: string) => void,
): Promise<number> => {
  let offered = 0;
  const failed = new Set<string>();
  for (;;) {
    const aside = (await listAside(db, BATCH + failed.size)).filter(({ listingId }) => !failed.has(listingId));
    if (aside.length === 0) return offered;
    for (const { listingId, sellerId } of aside) {
      try {
        const want = await firstFitting(db, listingId);
        crashPoint('want-matched');
        if (want === undefined) await letGo(db, listingId, sellerId);
        else if (await offer(db, listingId, want, rules)) offered += 1;
        // Else it is looked at again: somebody was faster, or wants it no more.
        else if (!(await isOnlyAside(db, listingId))) await letGo(db, listingId, sellerId);
      } catch (error) {
        failed.add(listingId);
        onError(error, listingId);
      }
    }
  }
};

const ownOffer = async (db: Db, viewer: Viewer, id: string): Promise<OfferRow> => {
  const reader = requireBuyer(viewer);
  const found = await findOffer(db, id);
  if (found?.userId !== reader.userId) throw notFound('There is no such offer');
  return found;
};

const whatBecame = ({ isFree, isSold }: OfferRow): string => {
  if (isSold) return 'The time for this offer is over, and the book is sold';
  return isFree
    ? 'The time for this offer is over: the book is on the shelf, and you can book it there'
    : 'The time for this offer is over, and another reader has the book now';
};

/** Takes a copy that is offered: its booking is the reader's to pay for. 409 with what became of it after its time. */
export const takeOffer = async (db: Db, viewer: Viewer, id: string): Promise<{ bookingId: string }> => {
  const found = await ownOffer(db, viewer, id);
  const { bookingId, state, isHeld } = found;
  if (state === 'bought') return { bookingId };
  if (!isHeld) throw new AppError('hold_lost', whatBecame(found));
  await db.transaction().execute(async (trx) => {
    await markOffer(trx, id, 'open', 'taken');
    await markTaken(trx, bookingId);
  });
  return { bookingId };
};

/** Passes a copy on: its booking is cancelled, and the next reader is offered it, or it goes on the shelf. */
export const passOffer = async (deps: PassingDeps, viewer: Viewer, id: string): Promise<{ acknowledged: boolean }> => {
  const { state, bookingId } = await ownOffer(deps.db, viewer, id);
  if (state === 'open' || state === 'taken') {
    await cancelBooking(deps, viewer, bookingId);
    await markOffer(deps.db, id, 'lapsed', 'passed');
  }
  return { acknowledged: true };
};
