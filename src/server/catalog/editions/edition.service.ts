import { setTimeout as sleep } from 'node:timers/promises';
import type { EditionFacts } from '#contract/catalog/editions/edition-calls.ts';
import { readIsbn } from '#contract/catalog/isbn.ts';
import { badFields, notFound } from '#server/platform/errors.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { requireSeller, type Viewer } from '#server/platform/viewer.ts';
import {
  findEdition,
  findShopEdition,
  isMissed,
  keepAnswer,
  keepMiss,
  takeTurn,
  type KnownEdition,
  type KnownFacts,
} from './edition.queries.ts';
import { createOpenLibrary, OPEN_LIBRARY, OpenLibraryDown, type AskOpenLibrary } from './open-library.ts';

export interface EditionDeps {
  readonly db: Db;
  /** Undefined: Open Library is not asked. */
  readonly openLibrary: AskOpenLibrary | undefined;
}

/** Open Library as the shop may ask it, or the stand-in at `standin`; undefined where the operator gave no contact. */
export const openLibraryOf = (
  db: Db,
  config: { readonly publicUrl: string; readonly openLibraryContact: string | undefined },
  standin: string | undefined,
): AskOpenLibrary | undefined => {
  const contact = config.openLibraryContact ?? (standin === undefined ? undefined : 'demo@localhost');
  if (contact === undefined) return undefined;
  return createOpenLibrary({
    url: config.openLibraryContact === undefined ? (standin ?? OPEN_LIBRARY) : OPEN_LIBRARY,
    userAgent: `Dogear (${config.publicUrl}; ${contact})`,
    takeTurn: () => takeTurn(db),
  });
};

/** The ISBN-13 that was meant, or 400 with the sentence that says what is wrong. */
export const requireIsbn = (text: string): string => {
  const read = readIsbn(text) ?? { problem: 'Give an ISBN' };
  if ('problem' in read) throw badFields({ isbn13: read.problem });
  return read.isbn13;
};

const answerOf = (isbn13: string, facts: KnownFacts, source: EditionFacts['source']): EditionFacts => ({
  isbn13,
  title: facts.title,
  authors: facts.authors,
  publisher: facts.publisher,
  year: facts.year,
  language: facts.language,
  binding: facts.binding,
  pages: facts.pages,
  source,
});

const fromTable = (isbn13: string, known: KnownEdition): EditionFacts =>
  answerOf(isbn13, known, known.source === 'dump' ? 'table' : 'open-library');

const UNKNOWN = 'Nobody here knows this ISBN: fill in the book by hand';
const NOT_NOW = 'This ISBN cannot be looked up now: fill in the book by hand, or try again in a minute';

const askOpenLibrary = async (
  db: Db,
  ask: AskOpenLibrary,
  isbn13: string,
  older: KnownEdition | undefined,
): Promise<EditionFacts> => {
  try {
    const facts = await ask(isbn13);
    if (facts !== undefined) {
      await keepAnswer(db, isbn13, facts);
      return answerOf(isbn13, facts, 'open-library');
    }
    await keepMiss(db, isbn13);
  } catch (error) {
    if (!(error instanceof OpenLibraryDown)) throw error;
    if (older === undefined) throw notFound(NOT_NOW);
  }
  // What it said long ago is better than nothing.
  if (older === undefined) throw notFound(UNKNOWN);
  return fromTable(isbn13, older);
};

/**
 * What is known of an ISBN in any form: what copies here say, with language, binding and pages of the table, else the
 * table's row, else Open Library's answer, which is kept. 400 with the sentence for what is no ISBN; 404 where nobody
 * knows it, or it cannot be asked now.
 */
export const readEdition = async (
  { db, openLibrary }: EditionDeps,
  viewer: Viewer,
  isbn: string,
): Promise<EditionFacts> => {
  requireSeller(viewer);
  const isbn13 = requireIsbn(isbn);
  const shop = await findShopEdition(db, isbn13);
  const known = await findEdition(db, isbn13);
  if (shop !== undefined) {
    const { language = '', binding = '', pages = null } = known ?? {};
    return answerOf(isbn13, { ...shop, language, binding, pages }, 'shop');
  }
  if (known?.isFresh) return fromTable(isbn13, known);
  if (openLibrary !== undefined && !(await isMissed(db, isbn13))) return askOpenLibrary(db, openLibrary, isbn13, known);
  if (known === undefined) throw notFound(UNKNOWN);
  return fromTable(isbn13, known);
};

/** Tries of one ISBN where somebody at a form is served first, and the pause between them. */
const TRIES = 5;
const PAUSE_MS = 400;

/**
 * Learns of an ISBN what Open Library says, for a file that gives nothing else; what is known already, or was not known
 * a while ago, is not asked again. Somebody who waits at a form goes first.
 */
export const learnEdition = async ({ db, openLibrary }: EditionDeps, isbn13: string): Promise<void> => {
  if (openLibrary === undefined || (await findEdition(db, isbn13)) !== undefined || (await isMissed(db, isbn13)))
    return;
  for (let tries = 1; tries <= TRIES; tries += 1) {
    try {
      const facts = await openLibrary(isbn13);
      if (facts === undefined) await keepMiss(db, isbn13);
      else await keepAnswer(db, isbn13, facts);
      return;
    } catch (error) {
      if (!(error instanceof OpenLibraryDown) || tries === TRIES) return;
      await sleep(PAUSE_MS);
    }
  }
};
