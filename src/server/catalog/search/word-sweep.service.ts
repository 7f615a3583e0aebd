import type { Db } from '#server/platform/postgres/db.ts';
import { readWordShares } from './word-shares.queries.ts';
import { sweepWords } from './word-sweep.queries.ts';

/** Words looked at in one statement, and statements each time. */
const WORDS = 1_000;
const STATEMENTS = 20;

/**
 * Drops words that no copy has any more from those that corrections are made of; 20,000 words are looked at each time.
 */
export const tidyWords = async (db: Db): Promise<void> => {
  const common = [...(await readWordShares(db)).words.keys()];
  for (let count = 0; count < STATEMENTS; count += 1) if ((await sweepWords(db, common, WORDS)) < WORDS) return;
};
