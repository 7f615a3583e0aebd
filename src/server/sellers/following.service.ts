import type { Followed } from '#contract/sellers/sellers.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import { limitOf, pageOf, positionOf } from '#server/platform/cursor.ts';
import { badFields } from '#server/platform/errors.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { requireSignedIn, type Viewer } from '#server/platform/viewer.ts';
import { sellerOf } from './seller-page.service.ts';
import { deleteFollow, hasFollow, insertFollow, listFollows, takeShelfNews } from './sellers.queries.ts';

/** Followers that one transaction looks after. */
const BATCH = 100;

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

/** Tells followers what sellers have added, each of a seller at most once a day; answers how many were told. */
export const tellFollowers = async (db: Db): Promise<number> => {
  let told = 0;
  for (;;) {
    const { looked, sent } = await db.transaction().execute(async (trx) => {
      const { looked, news } = await takeShelfNews(trx, BATCH);
      for (const { userId, sellerId, email, name, day, seller, slug, count, titles } of news) {
        await queueMail(trx, {
          kind: 'new-books',
          key: `new-books:${sellerId}:${day}:${userId}`,
          to: { email, name },
          data: { seller, slug, count, titles },
        });
      }
      return { looked, sent: news.length };
    });
    told += sent;
    if (looked < BATCH) return told;
  }
};
