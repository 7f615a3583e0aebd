import type { Db } from '#server/platform/postgres/db.ts';
import { divisionsOf, draftsOf, joinsOf, queriesOf } from './drafts.ts';
import { findHolders, findNearWords } from './near-words.queries.ts';
import { countFound } from './search.queries.ts';
import { wordShares } from './word-shares.service.ts';
import { wordingOfWords } from './wording.ts';

/** So many wordings are counted. */
const MOST_TRIED = 8;
/** How far each is counted: enough to tell what most books are of. */
const COUNTED = 50;
/** One slip in so many letters; more of them make another wording of it. */
const LETTERS_A_SLIP = 4;
/** A slip makes a wording so much less likely that only so many times the books make up for it. */
const SLIP_IS_WORTH = 2.2;

/**
 * Another spelling of all that was typed, that finds more than `found` copies: near words for any of them, whether that
 * is known or not, joined or parted, of which some copy holds all. Words that occur together outrank words that occur.
 * Undefined when there is none.
 */
export const respell = async (db: Db, words: readonly string[], found: number): Promise<string | undefined> => {
  const joins = joinsOf(words);
  const near = await findNearWords(db, [...words, ...joins.map(({ word }) => word)]);
  const joined = near.map((one) => ({ ...one, place: one.place - words.length })).filter(({ place }) => place >= 0);
  const divisions = divisionsOf(words, near, joins, joined);
  const shares = await wordShares(db);
  const holders = divisions.length === 0 ? [] : await findHolders(db, shares, queriesOf(divisions, shares));
  const slips = Math.max(1, Math.floor(words.join('').length / LETTERS_A_SLIP));
  const drafts = draftsOf(divisions, holders)
    .filter(({ text, edits }) => text !== words.join(' ') && edits <= slips)
    .slice(0, MOST_TRIED);
  const counts = await countFound(
    db,
    shares,
    drafts.map(({ text }) => wordingOfWords(text.split(' '))),
    COUNTED,
  );
  const [best] = drafts
    .map((draft, place) => ({ ...draft, count: counts[place] ?? 0 }))
    .filter(({ count }) => count > found)
    .map(({ text, cost, count }) => ({ text, likely: Math.log(count) - SLIP_IS_WORTH * cost }))
    .toSorted((a, b) => b.likely - a.likely);
  return best?.text;
};
