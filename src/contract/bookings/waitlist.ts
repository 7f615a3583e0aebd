import { Type, type Static } from 'typebox';
import { ListingStatus } from '#contract/catalog/catalog.ts';
import { endpoint } from '#contract/endpoint.ts';
import { Dollars, Id, IsoTime } from '#contract/scalars.ts';

/** At most this many lines a buyer waits in; more would make a line say nothing about who wants the book. */
export const MAX_WAITLIST_ENTRIES = 20;

const Copy = Type.Object({ id: Id });

/**
 * A place in the line behind a held copy: 1 is the next. The copy is theirs to pay for when it is given up or not paid
 * in time.
 */
export const WaitlistEntry = Type.Object({
  listingId: Id,
  title: Type.String(),
  authors: Type.String(),
  image_url: Type.String(),
  price: Dollars,
  status: ListingStatus,
  place: Type.Integer(),
  waiting: Type.Integer(),
  joinedAt: IsoTime,
});
export type WaitlistEntry = Static<typeof WaitlistEntry>;

/**
 * The same answer when repeated. A copy that nobody holds is 409 `copy_free`, the viewer's own hold 409 `own_hold`, a
 * sold copy 409 `copy_taken`, an own copy 403 `own_copy`, a twenty-first line 429.
 */
export const joinWaitlist = endpoint({
  method: 'PUT',
  path: '/categories/:id/line',
  summary: 'Joins the line behind a held copy',
  access: 'buyer',
  params: Copy,
  status: 200,
  answer: Type.Object({ place: Type.Integer(), waiting: Type.Integer() }),
  refused: { place: null, waiting: 0 },
  personal: true,
});

/** 0 when the viewer was in no such line. */
export const leaveWaitlist = endpoint({
  method: 'DELETE',
  path: '/categories/:id/line',
  summary: 'Leaves the line behind a copy',
  access: 'buyer',
  params: Copy,
  status: 200,
  answer: Type.Object({ deletedCount: Type.Integer() }),
  refused: { deletedCount: 0 },
  personal: true,
});

/**
 * How the viewer stands to a copy: their place in its line, or the booking with which they hold it; null where there is
 * none.
 */
export const readWaitlist = endpoint({
  method: 'GET',
  path: '/categories/:id/line',
  summary: 'The line behind a copy',
  access: 'anyone signed in',
  params: Copy,
  status: 200,
  answer: Type.Object({
    waiting: Type.Integer(),
    place: Type.Union([Type.Integer(), Type.Null()]),
    bookingId: Type.Union([Id, Type.Null()]),
  }),
  refused: { waiting: 0, place: null, bookingId: null },
  personal: true,
});

/** At most `MAX_WAITLIST_ENTRIES`, so never paged. */
export const listMyWaitlist = endpoint({
  method: 'GET',
  path: '/line',
  summary: 'The lines the buyer waits in, the longest wait first',
  access: 'buyer',
  status: 200,
  answer: Type.Array(WaitlistEntry),
  personal: true,
});
