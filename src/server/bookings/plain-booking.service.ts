import { MAX_UNPAID_HOLDS } from '#contract/bookings.ts';
import { takingCopy } from '#server/catalog/listing.service.ts';
import { addressed, queueingMail } from '#server/mail/outbox.service.ts';
import { transactAtOnce } from '#server/platform/at-once.ts';
import type { Db } from '#server/platform/db.ts';
import type { SignedIn } from '#server/platform/viewer.ts';
import { buyerTurn } from './holds.queries.ts';
import { plainBooking, type PlainBookingRow } from './plain-booking.queries.ts';

/** What a buyer wants, once its form is known to be right. */
export interface Wish {
  readonly listingId: string;
  /** Title and picture as the buyer saw them, or blank. */
  readonly title: string;
  readonly imageUrl: string;
  readonly priceCents: number;
  readonly phone: string;
  readonly location: string;
  readonly minutes: number;
}

/** A booking and when its hold ends. */
export interface Held {
  readonly id: string;
  readonly expiresAt: Date;
}

const statementOf = plainBooking({ taking: takingCopy, mailing: queueingMail });

/**
 * Books as nearly all bookings go: the first of a buyer for a copy that is free and costs what they saw, with its mail. `taken` when somebody else has the copy;
 * undefined, having done nothing, when it is anything else, which is to be looked at step by step. One packet to the database and back; in a transaction, part of it.
 */
export const bookPlainly = async (db: Db, buyer: SignedIn, wish: Wish): Promise<Held | 'taken' | undefined> => {
  const { userId: buyerId, name, email } = buyer;
  const statement = statementOf({
    ...wish,
    buyerId,
    buyer: { name, email },
    mailTo: addressed({ name, email }),
    most: MAX_UNPAID_HOLDS,
  });
  const [row] = await transactAtOnce<PlainBookingRow>(db, [buyerTurn(buyerId), statement]);
  if (row?.isTaken === true) return 'taken';
  return row === undefined || row.id === null || row.expiresAt === null
    ? undefined
    : { id: row.id, expiresAt: row.expiresAt };
};
