import type { Listing, ListingDetail, ListingDraft, MyListingsSort } from '#contract/catalog/catalog.ts';
import { normaliseIsbn } from '#contract/catalog/isbn.ts';
import { listingProblems, parsePublishedYear, parseYears } from '#contract/catalog/listing-rules.ts';
import { POPULAR_BOOKS } from '#contract/catalog/editions/popular-books.ts';
import type { TitleStock } from '#contract/catalog/editions/popular.ts';
import { parseCents } from '#contract/money/money.ts';
import { oneLine } from '#contract/text.ts';
import { limitOf } from '#server/platform/cursor.ts';
import { sortedPositionOf } from '#server/platform/sorted-cursor.ts';
import {
  NO_PICTURE,
  lockCover,
  placePhotos,
  takePicture,
  type Picture,
} from '#server/catalog/photos/listing-photos.service.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { badFields, forbidden, notFound, AppError } from '#server/platform/errors.ts';
import { requireGoodStanding, requireOwnAddress, requireSeller, type Viewer } from '#server/platform/viewer.ts';
import type { JsonText, JsonPage } from '#server/platform/json-text.ts';
import { conditionOf, keepPassport, passportProblems } from '#server/catalog/passports/passport.service.ts';
import { placeDelivery } from '#server/catalog/delivery/new-copy.service.ts';
import { findCategory, keepCategory } from '#server/catalog/categories/category.queries.ts';
import {
  LISTING_ORDERS,
  selectListingJson,
  selectListingsJson,
  type ListingFilter,
  type ShownContacts,
} from './listing-json.queries.ts';
import { isReadable, maySell, shownContacts, type SellingOptions } from './listing.policy.ts';
import {
  countListingRows,
  findCopiesLike,
  findCopy,
  foldShelfChanges,
  hasPresentSeller,
  insertListing,
  lockCopyRow,
  lockFreeCopyRow,
  moveListing,
  type CopyFacts,
  type NewListing,
} from './listing.queries.ts';
import { waitForLook } from './looks.service.ts';
import { readTitleStock } from './popular.queries.ts';

/** Counting further than this costs more than the page it is sent with; beyond it no count is sent. */
const COUNT_LIMIT = 250;

interface PageInput {
  readonly limit?: string | undefined;
  readonly cursor?: string | undefined;
}

const pageOfListings = async (
  db: Db,
  filter: ListingFilter,
  input: PageInput & { contacts: ShownContacts; sort?: MyListingsSort | undefined },
): Promise<JsonPage<Listing> & { isEmpty: boolean }> => {
  const sort = input.sort ?? 'newest';
  const { total, ...page } = await selectListingsJson(db, filter, {
    limit: limitOf(input.limit),
    sort,
    after: sortedPositionOf(input.cursor, sort, LISTING_ORDERS[sort].kind),
    contacts: input.contacts,
    countAtMost: COUNT_LIMIT + 1,
  });
  return { ...page, ...(total <= COUNT_LIMIT && { total }) };
};

/**
 * Listings on the shelf, newest first; their sellers' contacts are for admins, and a seller's own for them. 400 for a
 * foreign cursor.
 */
export const listListings = (db: Db, viewer: Viewer, input: PageInput): Promise<JsonPage<Listing>> =>
  pageOfListings(db, {}, { ...input, contacts: shownContacts(viewer) });

/** As `listListings`, for one category; 404 when there is no such category. */
export const listCategoryListings = async (
  db: Db,
  viewer: Viewer,
  input: PageInput & { categoryId: string },
): Promise<JsonPage<Listing>> => {
  const { categoryId } = input;
  const page = await pageOfListings(db, { categoryId }, { ...input, contacts: shownContacts(viewer) });
  if (page.isEmpty && (await findCategory(db, categoryId)) === undefined) {
    throw notFound('There is no such category');
  }
  return page;
};

/**
 * The seller's own listings with their status, newest first where no order is asked for, sold ones too; another's list
 * is 403, a cursor of another order 400.
 */
export const listMyListings = async (
  db: Db,
  viewer: Viewer,
  input: PageInput & { email: string; sort?: MyListingsSort | undefined },
): Promise<JsonPage<Listing>> => {
  const seller = requireSeller(viewer);
  requireOwnAddress(input.email, seller);
  return pageOfListings(db, { sellerId: seller.userId }, { ...input, contacts: { of: 'all' } });
};

/**
 * One listing, sold or not; 404 once it is withdrawn, and while it is paused for all but its seller. Whoever bought it
 * sees how to reach its seller until `reachDays` after the order ended.
 */
export const readListing = async (
  db: Db,
  viewer: Viewer,
  { id, reachDays }: { id: string; reachDays: number },
): Promise<JsonText<ListingDetail>> => {
  const eyes = viewer.kind === 'anonymous' ? 'none' : { userId: viewer.userId, reachDays };
  const found = await selectListingJson(db, id, viewer.kind === 'signed-in' && viewer.isAdmin ? 'all' : eyes);
  if (found === undefined || !isReadable(viewer, found)) throw notFound('There is no such book');
  return found.written;
};

/** The true number of copies on the shelf. */
export const countListings = async (db: Db): Promise<{ count: number }> => ({
  count: await countListingRows(db),
});

const POPULAR_TITLES = POPULAR_BOOKS.map(({ title }) => title);

/** How many copies of the popular books can be booked, and from which price. */
export const readPopular = async (db: Db): Promise<{ books: TitleStock[] }> => ({
  books: await readTitleStock(db, POPULAR_TITLES),
});

/** Keeps that number quick to tell; to be run now and then. */
export const tidyShelf = (db: Db): Promise<void> => foldShelfChanges(db);

/**
 * Lists a copy for sale. 403 unless the address and the name are the viewer's own; 400 with `fields` for what is wrong,
 * an unknown category among it; 409 where `category_name` is sent and is not the category's. Prices become integer
 * cents; nothing else of the record is taken from the browser.
 */
export const offerListing = async (
  db: Db,
  viewer: Viewer,
  draft: ListingDraft,
  options: SellingOptions,
): Promise<{ acknowledged: boolean; insertedId: string; held?: true }> => {
  const seller = requireSeller(viewer);
  requireOwnAddress(draft.email, seller);
  if (draft.Seller.trim() !== seller.name.trim()) throw forbidden('The seller must be you, under your own name');
  requireGoodStanding(seller);
  if (!maySell(seller, options.mode)) throw forbidden('Please confirm your email address before you sell');
  const problems = { ...listingProblems(draft), ...passportProblems(draft.passport) };
  if (Object.keys(problems).length > 0) throw badFields(problems);
  const picture = (await takePicture(seller.userId, draft, options)) ?? NO_PICTURE;
  const listing = recordOf(seller.userId, draft, picture);
  return db.transaction().execute(async (trx) => {
    const category = await keepCategory(trx, draft.category_id);
    if (category === undefined) throw badFields({ category_id: 'There is no such category' });
    requireCategoryName(draft, category);
    const cover = await lockCover(trx, seller.userId, picture.photos);
    const insertedId = await insertListing(trx, { ...listing, imageUrl: cover ?? listing.imageUrl });
    await placePhotos(trx, insertedId, picture.photos);
    await placeDelivery(trx, { id: insertedId, sellerId: seller.userId }, draft.delivery);
    await keepPassport(trx, { id: insertedId, isbn13: listing.isbn13 }, draft.passport ?? undefined);
    const { sellerId, isbn13, resaleCents } = listing;
    const isHeld = await options.holdForLook?.(trx, {
      listingId: insertedId,
      sellerId,
      isbn13,
      resaleCents,
      isNew: true,
    });
    if (isHeld !== true) return { acknowledged: true, insertedId };
    await waitForLook(trx, insertedId);
    return { acknowledged: true, insertedId, held: true };
  });
};

/**
 * The name that came along is compared with the record: 409 where somebody has renamed the category meanwhile, or means
 * another one.
 */
const requireCategoryName = (draft: ListingDraft, category: { name: string }): void => {
  if (draft.category_name === undefined || draft.category_name.trim() === category.name) return;
  const fields = { category_name: `This category is called ${category.name}` };
  throw new AppError('category_changed', 'The category has another name', { fields });
};

/** What is stored of a draft whose problems are none. */
const recordOf = (sellerId: string, draft: ListingDraft, picture: Picture): NewListing => ({
  sellerId,
  categoryId: draft.category_id,
  title: oneLine(draft.title),
  authors: oneLine(draft.authors ?? ''),
  isbn13: normaliseIsbn(draft.isbn13 ?? '') ?? '',
  publishedYear: parsePublishedYear(draft.published_year ?? '') ?? null,
  publisher: oneLine(draft.publisher ?? ''),
  imageUrl: picture.imageUrl,
  imageSource: picture.imageSource,
  originalCents: checked(parseCents(draft.original_known === false ? draft.resale_price : draft.original_price)),
  originalKnown: draft.original_known !== false,
  resaleCents: checked(parseCents(draft.resale_price)),
  yearsOfUse: draft.years_known === false ? 0 : checked(parseYears(draft.years_of_use)),
  yearsKnown: draft.years_known !== false,
  location: oneLine(draft.location),
  phone: oneLine(draft.phone),
  details: draft.details.trim(),
  condition: conditionOf(draft.passport) ?? draft.condition ?? 'Good',
});

const checked = (value: number | undefined): number => {
  if (value === undefined) throw new Error('a draft was recorded before its problems were looked for');
  return value;
};

/** A copy as booking sees it. */
export type CopyToBook = CopyFacts;

/**
 * The copy a buyer means: by its id, or by its looks among those on the shelf. `'none'` when there is no such copy,
 * `'several'` when the looks fit more than one. Its state may change until it is held; `holdCopy` decides.
 */
export const findCopyToBook = async (
  db: Db,
  meant: { listingId: string } | { title: string; imageUrl: string; priceCents: number },
): Promise<CopyToBook | 'none' | 'several'> => {
  if ('listingId' in meant) return (await findCopy(db, meant.listingId)) ?? 'none';
  const [first, second] = await findCopiesLike(db, meant);
  if (second !== undefined) return 'several';
  return first ?? 'none';
};

/** The copy, kept as it is until the transaction ends; undefined when there is none. */
export const lockCopy = (trx: Trx, listingId: string): Promise<CopyToBook | undefined> => lockCopyRow(trx, listingId);

/** The copy while it is free, kept so until the transaction ends; undefined when somebody has it or there is none. */
export const lockFreeCopy = (trx: Trx, listingId: string): Promise<CopyToBook | undefined> =>
  lockFreeCopyRow(trx, listingId);

/** Whether a held copy may go on to the next reader: not where its seller left, or is away and has paused the shelf. */
export const mayBePassedOn = (trx: Trx, listingId: string): Promise<boolean> => hasPresentSeller(trx, listingId);

/**
 * Takes a copy off the shelf for one booking: from then on nobody edits it; false when somebody else has it or it is
 * gone.
 */
export const holdCopy = (trx: Trx, listingId: string): Promise<boolean> =>
  moveListing(trx, listingId, 'available', 'held');

/** Puts a held copy back on the shelf; false when it was not held. */
export const releaseCopy = (trx: Trx, listingId: string): Promise<boolean> =>
  moveListing(trx, listingId, 'held', 'available');

/** Records that a held copy is sold, for good; false when it was not held. */
export const sellCopy = (trx: Trx, listingId: string): Promise<boolean> => moveListing(trx, listingId, 'held', 'sold');

/** Puts a copy whose sale was refunded back on the shelf; false when it was not sold. */
export const relistSoldCopy = (trx: Trx, listingId: string): Promise<boolean> =>
  moveListing(trx, listingId, 'sold', 'available');

/** Takes a copy whose sale was refunded out of the shop; false when it was not sold. */
export const withdrawSoldCopy = (trx: Trx, listingId: string): Promise<boolean> =>
  moveListing(trx, listingId, 'sold', 'withdrawn');
