import type { Db } from '#server/platform/postgres/db.ts';
import { readWordShares, type WordShares } from './word-shares.queries.ts';

/** How common words are changes slowly, and what is known of it only decides how fast a search is. */
const SHARES_MAX_AGE_MS = 60_000;
const known = new WeakMap<Db, { shares: Promise<WordShares>; readAtMs: number }>();

/** How common words are, as it was read a minute ago at most. */
export const wordShares = (db: Db): Promise<WordShares> => {
  const last = known.get(db);
  if (last !== undefined && performance.now() - last.readAtMs < SHARES_MAX_AGE_MS) return last.shares;
  const shares = readWordShares(db);
  known.set(db, { shares, readAtMs: performance.now() });
  // A failure is told to whoever asked and not remembered.
  shares.catch(() => known.delete(db));
  return shares;
};
