import type { CopyDelivery, DeliveryDraft, DeliveryExceptionDraft } from '#contract/delivery/delivery-calls.ts';
import {
  deliveryInDollars,
  deliveryProblems,
  homeOfDraft,
  termsOfDraft,
  wholeDraft,
} from '#contract/delivery/delivery-rules.ts';
import {
  DEFAULT_DELIVERY,
  termsOfCopy,
  type DeliveryException,
  type DeliveryTerms,
} from '#contract/delivery/delivery.ts';
import { dollarsOf } from '#contract/money/money.ts';
import { mayEdit } from '#server/catalog/listings/listing.policy.ts';
import { requireUnlocked } from '#server/catalog/listings/locked.ts';
import { lockListing } from '#server/catalog/listings/managing.queries.ts';
import { findCopy } from '#server/catalog/listings/listing.queries.ts';
import { badFields, notFound } from '#server/platform/errors.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { requireSeller, type Viewer } from '#server/platform/viewer.ts';
import {
  deleteException,
  findException,
  findTerms,
  listTermsOf,
  upsertException,
  upsertTerms,
} from './delivery.queries.ts';

const dollarsOrNull = (cents: number | null): number | null => (cents === null ? null : dollarsOf(cents));

/** What of a copy is its own, as it is sent. */
const writtenOwnOf = (own: DeliveryException): Partial<CopyDelivery> => ({
  ...(own.pickup !== undefined && { pickup: own.pickup }),
  ...(own.pickupPlace !== undefined && { pickupPlace: own.pickupPlace }),
  ...(own.post !== undefined && { post: own.post }),
  ...(own.firstCents !== undefined && { first: dollarsOf(own.firstCents) }),
  ...(own.furtherCents !== undefined && { further: dollarsOf(own.furtherCents) }),
  ...(own.freeFromCents !== undefined && { freeFrom: dollarsOrNull(own.freeFromCents) }),
  ...(own.countries !== undefined && { countries: [...own.countries] }),
  ...(own.daysToPost !== undefined && { daysToPost: own.daysToPost }),
});

const requireNoProblems = (draft: DeliveryDraft): void => {
  const problems = deliveryProblems(draft);
  if (Object.keys(problems).length > 0) throw badFields(problems);
};

/** How the viewer's copies come to their buyers; `said` is false where that is what holds for who never said. */
export const readDelivery = async (db: Db, viewer: Viewer): Promise<CopyDelivery & { said: boolean }> => {
  const terms = await findTerms(db, requireSeller(viewer).userId);
  return { said: terms !== undefined, ...deliveryInDollars(terms ?? DEFAULT_DELIVERY) };
};

/** How the copies of a seller come to their buyers, as everybody reads it; what is different for one of them apart. */
export const deliveryOfSeller = async (db: Db, sellerId: string): Promise<CopyDelivery> =>
  deliveryInDollars((await findTerms(db, sellerId)) ?? DEFAULT_DELIVERY);

/** Sets that, for all of the viewer's copies at once. 400 with `fields`; answers 0 when it was so already. */
export const saveDelivery = async (
  db: Db,
  viewer: Viewer,
  draft: DeliveryDraft,
): Promise<{ modifiedCount: number }> => {
  const { userId } = requireSeller(viewer);
  requireNoProblems(draft);
  const terms = termsOfCopy({ ...DEFAULT_DELIVERY, home: homeOfDraft(draft) }, termsOfDraft(draft));
  return { modifiedCount: (await upsertTerms(db, userId, terms)) ? 1 : 0 };
};

const NOT_THERE = 'There is no such book';

/** What holds for all of the viewer's copies, and what is different for one of them. 404 for another's. */
export const readCopyDelivery = async (
  db: Db,
  viewer: Viewer,
  listingId: string,
): Promise<{ shop: CopyDelivery; own: Partial<CopyDelivery> }> => {
  const seller = requireSeller(viewer);
  const copy = await findCopy(db, listingId);
  if (copy === undefined || !mayEdit(seller, { ...copy, state: copy.status })) throw notFound(NOT_THERE);
  const [terms, own] = await Promise.all([findTerms(db, seller.userId), findException(db, listingId)]);
  return { shop: deliveryInDollars(terms ?? DEFAULT_DELIVERY), own: writtenOwnOf(own ?? {}) };
};

const isSame = (a: DeliveryException, b: DeliveryException): boolean =>
  JSON.stringify(writtenOwnOf(a)) === JSON.stringify(writtenOwnOf(b));

/**
 * Sets what is different for one of the viewer's copies, instead of what was. 404 for another's, 409 while it is held
 * or once it is sold, 400 with `fields` where it makes no sense together with what holds for all. Answers 0 when it was
 * so already.
 */
export const saveCopyDelivery = (
  db: Db,
  viewer: Viewer,
  { listingId, draft }: { listingId: string; draft: DeliveryExceptionDraft },
): Promise<{ modifiedCount: number }> => {
  const seller = requireSeller(viewer);
  return db.transaction().execute(async (trx) => {
    const listing = await lockListing(trx, listingId);
    if (listing === undefined || !mayEdit(seller, listing)) throw notFound(NOT_THERE);
    requireUnlocked(listing);
    const terms = (await findTerms(trx, seller.userId)) ?? DEFAULT_DELIVERY;
    requireNoProblems(wholeDraft(terms, draft));
    const [before, own] = [(await findException(trx, listingId)) ?? {}, termsOfDraft(draft)];
    if (isSame(before, own)) return { modifiedCount: 0 };
    if (isSame(own, {})) await deleteException(trx, listingId);
    else await upsertException(trx, listingId, own);
    return { modifiedCount: 1 };
  });
};

/**
 * How copies come to their buyers, with the place where each can be picked up; by their ids, without those that there
 * are none of. One statement, whatever their number.
 */
export const deliveryOf = async (
  db: Db,
  listingIds: readonly string[],
): Promise<ReadonlyMap<string, DeliveryTerms>> => {
  if (listingIds.length === 0) return new Map();
  const rows = await listTermsOf(db, listingIds);
  return new Map(
    rows.map(({ id, location, terms, own }) => {
      const its = termsOfCopy(terms ?? DEFAULT_DELIVERY, own);
      return [id, { ...its, pickupPlace: its.pickupPlace === '' ? location : its.pickupPlace }];
    }),
  );
};
