import {
  addPasskey,
  changePassword,
  editAccount,
  passkeyToAdd,
  passkeyToConfirm,
  renewRecoveryCodes,
  reauthenticate,
  signInWithPasskey,
} from '#contract/users/account.ts';
import { bookCopy } from '#contract/bookings/bookings.ts';
import {
  editListing,
  listCategoryListings,
  listListings,
  offerListing,
  readListing,
} from '#contract/catalog/catalog.ts';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { saveProfile, signIn } from '#contract/users/identity.ts';
import { joinWaitlist } from '#contract/bookings/waitlist.ts';
import { confirmAddress, resetPassword } from '#contract/users/mail-links.ts';
import { createPaymentIntent, recordPayment } from '#contract/money/payments.ts';
import { searchListings, suggestSearches } from '#contract/catalog/search.ts';

/** How often a call is made by one network or one account. */
export interface CallLimit {
  readonly calls: number;
  readonly windowSeconds: number;
  readonly per: 'network' | 'account';
  /**
   * - `database`: all processes count together
   * - `process`: each counts its share; for what is too frequent to be written down
   */
  readonly counted: 'database' | 'process';
}

const MINUTE = 60;
const HOUR = 3_600;

const byAccount = (calls: number): CallLimit => ({ calls, windowSeconds: HOUR, per: 'account', counted: 'database' });
/** A network may be a school: it gets several users' share. */
const byNetwork = (calls: number, windowSeconds = HOUR): CallLimit => ({
  calls,
  windowSeconds,
  per: 'network',
  counted: 'database',
});
/** What shows sellers' phones and addresses: enough for whoever reads all day, too little to copy them all. */
const CONTACTS = byAccount(600);
const quickByNetwork = (calls: number): CallLimit => ({
  calls,
  windowSeconds: MINUTE,
  per: 'network',
  counted: 'process',
});

/**
 * What costs much for one request, and how often it may be asked for. Beside these: wrong passwords and codes of an account, sign-ups,
 * links by mail, passkey challenges and exports (identity), holds and places in line (bookings), failed cards (payments), new categories.
 */
export const COSTLY_CALLS: readonly { readonly spec: EndpointSpec; readonly limits: readonly CallLimit[] }[] = [
  { spec: signIn, limits: [byNetwork(100, 15 * MINUTE)] },
  { spec: signInWithPasskey, limits: [byNetwork(100, 15 * MINUTE)] },
  { spec: resetPassword, limits: [byNetwork(60)] },
  { spec: confirmAddress, limits: [byNetwork(120)] },
  { spec: changePassword, limits: [byAccount(10), byNetwork(100)] },
  { spec: reauthenticate, limits: [byAccount(30), byNetwork(300)] },
  { spec: passkeyToConfirm, limits: [byAccount(30), byNetwork(300)] },
  { spec: passkeyToAdd, limits: [byAccount(30), byNetwork(300)] },
  { spec: addPasskey, limits: [byAccount(30), byNetwork(300)] },
  { spec: renewRecoveryCodes, limits: [byAccount(30)] },
  { spec: bookCopy, limits: [byAccount(60), byNetwork(300)] },
  { spec: createPaymentIntent, limits: [byAccount(60), byNetwork(300)] },
  { spec: recordPayment, limits: [byAccount(120), byNetwork(600)] },
  { spec: offerListing, limits: [byAccount(500)] },
  // Cheap by themselves, but each may make untrue what is kept for everybody: a name stands on every card of a seller.
  { spec: editListing, limits: [byAccount(500)] },
  { spec: editAccount, limits: [byAccount(60)] },
  { spec: saveProfile, limits: [byAccount(120)] },
  { spec: joinWaitlist, limits: [byAccount(120)] },
  { spec: searchListings, limits: [quickByNetwork(120), CONTACTS] },
  { spec: listListings, limits: [CONTACTS] },
  { spec: listCategoryListings, limits: [CONTACTS] },
  { spec: readListing, limits: [CONTACTS] },
  { spec: suggestSearches, limits: [quickByNetwork(300)] },
];
