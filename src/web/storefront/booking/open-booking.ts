import { readListing, type Listing } from '#contract/catalog/catalog.ts';
import { becomeBuyer, type SessionUser } from '#contract/users/identity.ts';
import { browserApi, call } from '#web/api/call.ts';
import { unanswered } from '#web/api/fetch-transport.ts';
import { currentUser, refreshSession } from '#web/api/session.ts';
import { toast } from '#web/ui/toast/toast-store.ts';
import type { BookingState } from './booking-state.ts';

/** The forms and the line are needed by those who book only: no page of books waits for their scripts. */
const arrived = async <M>(script: Promise<M>): Promise<M> => {
  try {
    return await script;
  } catch (error) {
    throw unanswered(error, undefined);
  }
};

const forStranger = async (listing: Promise<Listing>): Promise<BookingState> => {
  const ways = async () => (await arrived(import('#web/shell/social/social-ways.ts'))).loadWays(browserApi);
  const content = arrived(import('./stranger-content.tsx'));
  const [about, { StrangerContent: Content }, known] = await Promise.all([listing, content, ways()]);
  return { kind: 'stranger', listing: about, ways: known.ways, Content };
};

/** Whether the copy can be booked or waited for, by whoever is a buyer. */
const isForBuyers = (listing: Listing, user: SessionUser): boolean =>
  listing.status !== 'Sold' && listing.email.toLowerCase() !== user.email.toLowerCase();

/** Who books becomes a buyer on the way, without signing in again; null when nobody is signed in any more. */
const asBuyer = async (user: SessionUser): Promise<SessionUser | null> => {
  const { modifiedCount } = await call(becomeBuyer, { query: { email: user.email } });
  // A new account becomes what it was made for; one with a type has two from now on, and is told.
  if (modifiedCount > 0 && user.roles.length > 0) toast('Make buyer Successful', { text: 'You can book books now.' });
  return refreshSession();
};

/** Reads the copy, and what its dialog shows to whoever is signed in, or to nobody. */
export const openBooking = async (id: string, signal: AbortSignal): Promise<BookingState> => {
  const user = await currentUser();
  const listing = call(readListing, { params: { id } }, { signal });
  if (user === null) return forStranger(listing);
  const [about, { BookingContent: Content }] = await Promise.all([listing, arrived(import('./booking-content.tsx'))]);
  const mustBecome = !user.roles.includes('buyer') && isForBuyers(about, user);
  const buyer = mustBecome ? await asBuyer(user) : user;
  return buyer === null ? forStranger(listing) : { kind: 'ready', listing: about, user: buyer, Content };
};
