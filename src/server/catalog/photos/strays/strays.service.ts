import type { Db } from '#server/platform/postgres/db.ts';
import { LETTERS, nameIn } from '#server/catalog/photos/photo-files.service.ts';
import type { PhotoStore } from '#server/catalog/photos/store/photo-store.ts';
import { findKnown, markStrays, takeTurn } from './strays.queries.ts';

/** A file is left alone for so long after it was stored: its row may be about to be written. */
const YOUNG_MS = 86_400_000;
/** Names looked at in one turn; what is left over has its turn when what was found is gone. */
const MOST_NAMES = 100_000;
const BATCH = 1_000;
/** With fewer, nothing is concluded from how many they are. */
const FEW = 8;

/** What a look at one part of the store found; `isHeld`: so much that it was left where it is. */
export interface StrayLook {
  readonly known: number;
  readonly strays: number;
  readonly isHeld: boolean;
}

/** The names in one part of the store that are old enough to be judged. */
const oldNames = async (store: PhotoStore, letter: string, before: Date): Promise<string[]> => {
  const [old, young] = [new Set<string>(), new Set<string>()];
  for await (const { key, at } of store.keys(letter)) {
    // What the shop did not lay there is not its own to take away.
    const name = nameIn(key);
    if (name === undefined) continue;
    (at < before ? old : young).add(name);
    if (old.size >= MOST_NAMES) break;
  }
  return [...old].filter((name) => !young.has(name));
};

/**
 * Looks at the part of the store whose turn it is for files that no row knows, as a restore and a crash leave them, and
 * gives them to the sweep where they are older than a day. Undefined where it is no part's turn. Names are made of
 * content, so that each part is like all: where more of one are unknown than known, this is hardly the database that
 * the store belongs to, and nothing is taken away.
 */
export const lookForStrays = async (
  { db, store }: { readonly db: Db; readonly store: PhotoStore },
  now = new Date(),
): Promise<StrayLook | undefined> => {
  const turn = await takeTurn(db);
  if (turn === undefined) return undefined;
  const names = await oldNames(store, LETTERS.charAt(turn), new Date(now.getTime() - YOUNG_MS));
  const strays: string[] = [];
  for (let at = 0; at < names.length; at += BATCH) {
    const some = names.slice(at, at + BATCH);
    const known = new Set(await findKnown(db, some));
    strays.push(...some.filter((name) => !known.has(name)));
  }
  const known = names.length - strays.length;
  if (strays.length >= FEW && strays.length > known) return { known, strays: strays.length, isHeld: true };
  for (let at = 0; at < strays.length; at += BATCH) await markStrays(db, strays.slice(at, at + BATCH));
  return { known, strays: strays.length, isHeld: false };
};
