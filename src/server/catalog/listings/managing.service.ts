import { randomUUID } from 'node:crypto';
import type { ListingEdit } from '#contract/catalog/catalog.ts';
import { normaliseIsbn } from '#contract/catalog/isbn.ts';
import { editProblems, parsePublishedYear, parseYears } from '#contract/catalog/listing-rules.ts';
import { parseCents } from '#contract/money/money.ts';
import { oneLine } from '#contract/text.ts';
import { reasonOf, recordAudit } from '#server/audit/audit.service.ts';
import { lockActingAdmin } from '#server/identity/users/acting-admin.service.ts';
import { findUserById } from '#server/identity/sessions/identity.service.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { badFields, forbidden, notFound } from '#server/platform/errors.ts';
import { requireSeller, requireSignedIn, type SignedIn, type Viewer } from '#server/platform/viewer.ts';
import { lockCover, placePhotos, takePicture } from '#server/catalog/photos/listing-photos.service.ts';
import { conditionAfter, keepPassport, passportProblems } from '#server/catalog/passports/passport.service.ts';
import { keepCategory } from '#server/catalog/categories/category.queries.ts';
import { requireUnlocked } from './locked.ts';
import { mayDelete, mayEdit, mayManageListings, maySell, type SellingOptions } from './listing.policy.ts';
import { moveListing } from './listing.queries.ts';
import { findListing, lockListing, updateListing, type ListingFacts, type LockedListing } from './managing.queries.ts';
import { takeDownPhotos } from './reported/reported.service.ts';
import { waitForLook } from './looks.service.ts';
import { notePriceChange } from './price-changes.queries.ts';

/** 404 for another's copy or a deleted one, 409 for one that a buyer has a claim on. */
function requireEditable(seller: SignedIn, listing: LockedListing | undefined): asserts listing is LockedListing {
  if (listing === undefined || !mayEdit(seller, listing)) throw notFound('There is no such book');
  requireUnlocked(listing);
}

/**
 * Changes the given fields of an own copy; whose it is never changes. 404 for another's or a deleted one, 409 while it
 * is held or once it is sold, 400 with `fields` by the rules of offering. Answers 0 when everything was so already.
 */
export const editListing = async (
  db: Db,
  viewer: Viewer,
  input: { id: string; edit: ListingEdit },
  options: SellingOptions,
): Promise<{ modifiedCount: number }> => {
  const seller = requireSeller(viewer);
  if (!maySell(seller, options.mode)) throw forbidden('Please confirm your email address before you sell');
  const problems = { ...editProblems(input.edit), ...passportProblems(input.edit.passport) };
  const before = await findListing(db, input.id);
  requireEditable(seller, before);
  const picture =
    problems.image_url === undefined ? await takePicture(seller.userId, input.edit, options, before) : undefined;
  return db.transaction().execute(async (trx) => {
    const categoryExists = await isKept(trx, input.edit.category_id);
    const listing = await lockListing(trx, input.id);
    requireEditable(seller, listing);
    if (!categoryExists) problems.category_id ??= 'There is no such category';
    const condition = await conditionAfter(trx, input.id, input.edit);
    if ('problem' in condition) problems.condition ??= condition.problem;
    if (Object.keys(problems).length > 0) throw badFields(problems);
    const cover = picture && (await lockCover(trx, seller.userId, picture.photos));
    const changes = differencesOf(listing, {
      ...recordOf(input.edit, listing),
      condition: 'is' in condition ? condition.is : undefined,
      image_url: cover ?? picture?.imageUrl,
      image_source: picture?.imageSource,
    });
    const isPlaced = picture !== undefined && (await placePhotos(trx, input.id, picture.photos));
    const copy = { id: input.id, isbn13: changes.isbn13 ?? listing.isbn13 };
    const isSaid =
      (input.edit.passport !== undefined || changes.isbn13 !== undefined || isPlaced) &&
      (await keepPassport(trx, copy, input.edit.passport));
    if (Object.keys(changes).length === 0 && !isPlaced && !isSaid) return { modifiedCount: 0 };
    await updateListing(trx, input.id, changes);
    if (changes.resale_cents !== undefined)
      await notePriceChange(trx, input.id, { fromCents: listing.resale_cents, toCents: changes.resale_cents });
    if (changes.resale_cents !== undefined && changes.resale_cents < listing.resale_cents)
      await lookAgain(trx, options, { ...copy, sellerId: seller.userId, resaleCents: changes.resale_cents });
    return { modifiedCount: 1 };
  });
};

/** A price that falls far is looked at like a new one. */
const lookAgain = async (
  trx: Trx,
  { holdForLook }: SellingOptions,
  { id, ...copy }: { id: string; isbn13: string; sellerId: string; resaleCents: number },
): Promise<void> => {
  if (holdForLook !== undefined && (await holdForLook(trx, { listingId: id, isNew: false, ...copy })))
    await waitForLook(trx, id);
};

/** Categories are locked before copies, everywhere: merging them takes both. */
const isKept = async (trx: Trx, categoryId: string | undefined): Promise<boolean> =>
  categoryId === undefined || (await keepCategory(trx, categoryId)) !== undefined;

const lineOf = (text: string | undefined): string | undefined => (text === undefined ? undefined : oneLine(text));

/** A price that is not known saves nothing on the price that is asked, and follows it. */
const originalOf = (edit: ListingEdit, before: ListingFacts): number | undefined => {
  if (edit.original_known !== false && edit.original_price !== undefined) return parseCents(edit.original_price);
  if (edit.original_known !== false && before.original_known) return undefined;
  return edit.resale_price === undefined ? before.resale_cents : parseCents(edit.resale_price);
};

/** Whether an edit says that a number is known; undefined where it says nothing of it. */
const knows = (said: boolean | undefined, value: unknown): boolean | undefined =>
  said === false ? false : value === undefined ? undefined : true;

const yearsOf = (edit: ListingEdit): number | undefined => {
  if (edit.years_known === false) return 0;
  return edit.years_of_use === undefined ? undefined : parseYears(edit.years_of_use);
};

/** What is to be stored of an edit whose problems are none; undefined where it says nothing. */
const recordOf = (
  edit: ListingEdit,
  before: ListingFacts,
): { [Field in Exclude<keyof ListingFacts, 'image_url' | 'image_source'>]: ListingFacts[Field] | undefined } => ({
  category_id: edit.category_id,
  title: lineOf(edit.title),
  authors: lineOf(edit.authors),
  isbn13: edit.isbn13 === undefined ? undefined : (normaliseIsbn(edit.isbn13) ?? ''),
  published_year: edit.published_year === undefined ? undefined : (parsePublishedYear(edit.published_year) ?? null),
  publisher: lineOf(edit.publisher),
  original_cents: originalOf(edit, before),
  original_known: knows(edit.original_known, edit.original_price),
  resale_cents: edit.resale_price === undefined ? undefined : parseCents(edit.resale_price),
  years_of_use: yearsOf(edit),
  years_known: knows(edit.years_known, edit.years_of_use),
  location: lineOf(edit.location),
  phone: lineOf(edit.phone),
  details: edit.details?.trim(),
  condition: edit.condition,
});

const differencesOf = (
  listing: ListingFacts,
  record: { [Field in keyof ListingFacts]: ListingFacts[Field] | undefined },
): Partial<ListingFacts> => {
  const known = new Map<string, unknown>(Object.entries(listing));
  return Object.fromEntries(
    Object.entries(record).filter(([field, value]) => value !== undefined && value !== known.get(field)),
  );
};

/** Tells the seller of a copy that an admin took it down; a seller who is gone is told nothing. */
const tellSeller = async (
  trx: Trx,
  { sellerId, listingId, title, reason = '' }: { sellerId: string; listingId: string; title: string; reason?: string },
): Promise<void> => {
  const to = await findUserById(trx, sellerId);
  // A copy that was restored may be taken down again: each time is an event of its own.
  const key = `listing-removed:${listingId}:${randomUUID()}`;
  if (to !== undefined) await queueMail(trx, { kind: 'listing-removed', key, to, data: { title, reason } });
};

/** Writes down an admin's deed so that its seller may appeal; `app.ts` hands it in. */
export type NoteTakenDown = (
  trx: Trx,
  deed: { readonly listingId: string; readonly actorId: string; readonly reason: string },
) => Promise<void>;

/** Tells those who wait for copies that these are gone; in the transaction that takes them out. */
export type CloseLines = (trx: Trx, listingIds: readonly string[]) => Promise<void>;

/** What is beside a deed; `app.ts` hands it in. */
export interface DeletingDeps {
  readonly noteTakenDown?: NoteTakenDown | undefined;
  readonly closeLines?: CloseLines | undefined;
}

/**
 * Takes a copy out of the shop for its seller or an admin; its row is kept, out of sight. 404 for another's or one
 * deleted before, 409 while it is held or once it is sold; an admin's deed is written down and told to the seller. A
 * copy that somebody has a claim on never goes away.
 */
export const deleteListing = async (
  db: Db,
  viewer: Viewer,
  { id, reason }: { id: string; reason?: string | undefined },
  { noteTakenDown, closeLines }: DeletingDeps = {},
): Promise<{ deletedCount: number }> => {
  const user = requireSignedIn(viewer);
  if (!mayManageListings(user)) throw forbidden('Listings are deleted by their sellers');
  return db.transaction().execute(async (trx) => {
    if (user.isAdmin) await lockActingAdmin(trx, viewer);
    const listing = await lockListing(trx, id);
    if (listing === undefined || !mayDelete(user, listing)) throw notFound('There is no such book');
    requireUnlocked(listing);
    // Guarded all the same: the state that was looked at is the state that is left.
    const from = listing.state === 'paused' ? 'paused' : 'available';
    if (!(await moveListing(trx, id, from, 'withdrawn'))) throw notFound('There is no such book');
    await closeLines?.(trx, [id]);
    if (user.userId !== listing.sellerId) {
      const { title, sellerId } = listing;
      const told = { title, ...(reason !== undefined && { reason: reasonOf(reason) }) };
      const subject = { kind: 'listing', id };
      await takeDownPhotos(trx, id, listing);
      await recordAudit(trx, { actorId: user.userId, action: 'listing deleted', subject, details: told });
      await noteTakenDown?.(trx, { listingId: id, actorId: user.userId, reason: told.reason ?? '' });
      await tellSeller(trx, { sellerId, listingId: id, ...told });
    }
    return { deletedCount: 1 };
  });
};
