import type { SearchAnswer } from '#contract/catalog/search.ts';
import { searchListings } from '#server/catalog/search/search.service.ts';
import { queueMail, type MailData } from '#server/mail/outbox.service.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { ANONYMOUS } from '#server/platform/viewer.ts';
import { listDueFollowers, takeShelfNews } from '#server/sellers/following.service.ts';
import {
  findReader,
  listDueReaders,
  noteDigest,
  takeChangedWishes,
  takeDueSearches,
  takeEndedWants,
} from './digest.queries.ts';
import { lockWatchesOf } from './watching.queries.ts';

const BATCH = 100;
/** So many new copies of a search are counted, and so many of them named. */
const LOOKED_AT = 24;
const NAMED = 3;
const FIRST = '00000000-0000-0000-0000-000000000000';

type Found = MailData['digest']['found'][number];

/** What a search finds that was listed since its reader was told. */
const newOf = async (
  db: Db,
  { name, query, toldAt }: { name: string; query: string; toldAt: Date },
): Promise<Found> => {
  const asked = { ...Object.fromEntries(new URLSearchParams(query)), sort: 'newest', limit: String(LOOKED_AT) };
  const found = await searchListings(db, ANONYMOUS, asked as Parameters<typeof searchListings>[2], (_key, work) =>
    work(),
  );
  const { listings, corrected, left_out } = JSON.parse(found.json) as SearchAnswer;
  // Of another spelling, or of fewer words, nothing is new.
  const isMeant = corrected === null && left_out.length === 0;
  const fresh = isMeant ? listings.filter(({ published_date: at }) => new Date(at) > toldAt) : [];
  return { name, query, count: fresh.length, titles: fresh.slice(0, NAMED).map(({ title }) => title) };
};

const newsOf = async (trx: Trx, userId: string): Promise<MailData['digest']> => {
  const wishes = await takeChangedWishes(trx, userId);
  const found: Found[] = [];
  for (const search of await takeDueSearches(trx, userId)) found.push(await newOf(trx, search));
  return {
    cheaper: wishes
      .filter(({ isGone, fromCents, toCents }) => !isGone && toCents < fromCents)
      .map(({ title, fromCents, toCents }) => ({ title, fromCents, toCents })),
    gone: wishes.filter(({ isGone }) => isGone).map(({ title }) => title),
    found: found.filter(({ count }) => count > 0),
    sellers: await takeShelfNews(trx, userId),
    ended: await takeEndedWants(trx, userId),
  };
};

/** Tells somebody what is new for them; false where nothing is, or they were told today. */
const tell = (db: Db, userId: string): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    await lockWatchesOf(trx, userId);
    const to = await findReader(trx, userId);
    if (to === undefined) return false;
    const data = await newsOf(trx, userId);
    if (Object.values(data).every((news) => news.length === 0)) return false;
    await noteDigest(trx, userId);
    await queueMail(trx, { kind: 'digest', key: `digest:${userId}:${Date.now()}`, to, data });
    return true;
  });

/**
 * Tells readers, once a day at most, what is new of the copies they marked, the searches they saved and the sellers
 * they follow, and which of their wants have ended; nothing new is no mail. Answers how many were told.
 */
export const sendDigests = async (db: Db, onError: (error: unknown, userId: string) => void): Promise<number> => {
  let told = 0;
  for (const listDue of [listDueReaders, listDueFollowers]) {
    let after = FIRST;
    for (;;) {
      const readers = await listDue(db, BATCH, after);
      for (const userId of readers) {
        after = userId;
        const isTold = await tell(db, userId).catch((error: unknown) => {
          onError(error, userId);
          return false;
        });
        if (isTold) told += 1;
      }
      if (readers.length < BATCH) break;
    }
  }
  return told;
};
