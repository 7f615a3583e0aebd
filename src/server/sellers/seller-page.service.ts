import { isVisible, oneLine } from '#contract/text.ts';
import type { Review } from '#contract/orders/reviews.ts';
import { sellerPageProblems, type OwnSellerPage, type SellerPage } from '#contract/sellers/sellers.ts';
import { deliveryOfSeller } from '#server/catalog/delivery/delivery.service.ts';
import { findShelfPause } from '#server/catalog/listings/pausing/pausing.service.ts';
import { readRecord } from '#server/orders/record/record.service.ts';
import { listReviewsAbout, sumReviewsAbout } from '#server/orders/reviews/reviews.service.ts';
import { imprintOfSeller } from '#server/law/declaring.service.ts';
import { limitOf } from '#server/platform/cursor.ts';
import { badFields, notFound } from '#server/platform/errors.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { requireSeller, type Viewer } from '#server/platform/viewer.ts';
import { findOwnPage, findSeller, renewSlug, upsertPage, type SellerRow } from './sellers.queries.ts';

export { deleteSellerPage, sellerPageToExport } from './sellers.queries.ts';

/** The seller of a page; 404 where there is none, or not any more. */
export const sellerOf = async (db: Db, slug: string): Promise<SellerRow> => {
  const seller = await findSeller(db, slug.toLowerCase());
  if (seller === undefined) throw notFound('There is no such seller');
  return seller;
};

const NO_REVIEWS: SellerPage['sums'] = {
  reviews: 0,
  stars: 0,
  asDescribed: 0,
  asDescribedSaid: 0,
  wellPacked: 0,
  wellPackedSaid: 0,
  inTime: 0,
  inTimeSaid: 0,
};

/** Who a seller is, for everybody alike. */
export const readSellerPage = async (db: Db, slug: string): Promise<SellerPage> => {
  const { id, since, ...seller } = await sellerOf(db, slug);
  const [declared, { pickupPlace: _place, ...delivery }, pause, record, sums] = await Promise.all([
    imprintOfSeller(db, id),
    deliveryOfSeller(db, id),
    findShelfPause(db, id),
    readRecord(db, id),
    sumReviewsAbout(db, id),
  ]);
  return {
    _id: id,
    ...seller,
    since: since.toISOString(),
    ...declared,
    delivery,
    away: pause === undefined || pause.hasEnded ? null : { until: pause.until },
    record,
    sums: sums ?? NO_REVIEWS,
  };
};

/** What is said of a seller, the newest first. */
export const listSellerReviews = async (
  db: Db,
  { slug, limit, cursor }: { slug: string; limit?: string | undefined; cursor?: string | undefined },
): Promise<{ rows: Review[]; next?: string }> => {
  const { id } = await sellerOf(db, slug);
  return listReviewsAbout(db, id, { limit: limitOf(limit), cursor });
};

const ownPage = async (db: Db, userId: string): Promise<OwnSellerPage> => {
  const page = await findOwnPage(db, userId);
  if (page === undefined) throw notFound('There is no such seller');
  return page;
};

export const readOwnSellerPage = (db: Db, viewer: Viewer): Promise<OwnSellerPage> =>
  ownPage(db, requireSeller(viewer).userId);

/** Where a seller's shop is, and its phone where a trader shows one; `""` for what they have not said. */
export const placeAndPhoneOf = async (db: Db, userId: string): Promise<{ location: string; phone: string }> => {
  const [page, { imprint }] = [await findOwnPage(db, userId), await imprintOfSeller(db, userId)];
  return { location: page?.place ?? '', phone: imprint?.phone ?? '' };
};

/** Writes what the viewer says of themselves; 400 with `fields` for links and contacts. */
export const saveSellerPage = (
  db: Db,
  viewer: Viewer,
  input: { about: string; place: string; renew?: boolean | undefined },
): Promise<OwnSellerPage> => {
  const { userId } = requireSeller(viewer);
  const about = isVisible(input.about) ? input.about.replaceAll('\r\n', '\n').trim() : '';
  const place = oneLine(input.place);
  const problems = sellerPageProblems({ about, place });
  if (Object.keys(problems).length > 0) throw badFields(problems);
  return db.transaction().execute(async (trx) => {
    await upsertPage(trx, userId, { about, place });
    if (input.renew === true) await renewSlug(trx, userId);
    return ownPage(trx, userId);
  });
};
