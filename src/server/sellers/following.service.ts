import type { Followed } from '#contract/sellers/sellers.ts';
import { limitOf, pageOf, positionOf } from '#server/platform/cursor.ts';
import { badFields } from '#server/platform/errors.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { requireSignedIn, type Viewer } from '#server/platform/viewer.ts';
import { sellerOf } from './seller-page.service.ts';
import {
  deleteFollow,
  findDueFollowers,
  hasFollow,
  insertFollow,
  listFollows,
  takeNewsOfShelves,
  type ShelfNews,
} from './sellers.queries.ts';

export const readFollow = async (db: Db, viewer: Viewer, slug: string): Promise<{ follows: boolean }> => {
  const { userId } = requireSignedIn(viewer);
  return { follows: await hasFollow(db, userId, (await sellerOf(db, slug)).id) };
};

/** Follows a seller, or not any more; 400 for oneself. */
export const setFollow = async (
  db: Db,
  viewer: Viewer,
  { slug, follows }: { slug: string; follows: boolean },
): Promise<{ follows: boolean }> => {
  const { userId } = requireSignedIn(viewer);
  const { id } = await sellerOf(db, slug);
  if (id === userId) throw badFields({ slug: 'This is your own page' });
  if (follows) await insertFollow(db, userId, id);
  else await deleteFollow(db, userId, id);
  return { follows };
};

/** The sellers whom the viewer follows, the newest first. */
export const listFollowed = async (
  db: Db,
  viewer: Viewer,
  query: { limit?: string | undefined; cursor?: string | undefined },
): Promise<{ rows: Followed[]; next?: string }> => {
  const { userId } = requireSignedIn(viewer);
  const limit = limitOf(query.limit);
  const page = pageOf(await listFollows(db, userId, { limit: limit + 1, after: positionOf(query.cursor) }), limit);
  return { ...page, rows: page.rows.map(({ slug, name, at }) => ({ slug, name, since: at })) };
};

/** Followers who heard nothing of some seller for a day, by their ids after `after`. */
export const listDueFollowers = (db: Db, limit: number, after: string): Promise<string[]> =>
  findDueFollowers(db, limit, after);

/** What was added by those whom somebody follows and of whom they heard nothing for a day: now they have. */
export const takeShelfNews = (trx: Trx, userId: string): Promise<ShelfNews[]> => takeNewsOfShelves(trx, userId);
