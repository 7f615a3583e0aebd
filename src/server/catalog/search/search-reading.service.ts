import type { SearchQuery, Understood } from '#contract/catalog/search.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { findLocations } from '#server/catalog/places/locations.queries.ts';
import {
  choicesOf,
  phraseAround,
  plainPhrasesIn,
  spansIn,
  textWithout,
  together,
  type Phrase,
  type PhraseFilters,
} from './search-phrases.ts';
import { findNamed, judgeReadings, type Fit, type Reading } from './search-reading.queries.ts';
import type { Narrowing } from './narrowing.queries.ts';
import { narrowingOf } from './narrowing.ts';
import { searchKeyOf } from './search.queries.ts';
import { wordShares } from './word-shares.service.ts';
import { isAscii, keyOfAscii, wordingOf, type Wording } from './wording.ts';

/** The wording of what was typed; the database is asked only where accents or foreign letters are in it. */
export const readWording = async (db: Db, typed: string): Promise<Wording> =>
  wordingOf(isAscii(typed) ? keyOfAscii(typed) : await searchKeyOf(db, typed), typed);

/** What was typed, read as other words beside choices. */
export interface ReadAs extends Reading {
  readonly understood: Understood;
  /** Typed words that are not searched for. */
  readonly leftOut: readonly string[];
  /** A bare name beside other words was read as a place: it may as well be misspelt. */
  readonly isDoubtful: boolean;
}

/**
 * What plain words may be meant as; `readAs` where that finds something and no title or author has all that was typed.
 */
export interface PlainWords {
  readonly readAs: ReadAs | undefined;
  /** All of it read, whether that finds something or not; undefined where nothing can be read. */
  readonly all: ReadAs | undefined;
  /** The most of it that finds something, where all of it finds nothing. */
  readonly partly: ReadAs | undefined;
  /** The words that may be meant as choices. */
  readonly spare: ReadonlySet<string>;
}

/** What somebody chose is not chosen anew by words. */
const isOpen = (query: SearchQuery, { kind }: Phrase): boolean => {
  if (kind === 'price') return query.min === undefined && query.max === undefined;
  if (kind === 'place') return query.location === undefined && query.near === undefined;
  return query[kind] === undefined;
};

const namedPhrasesIn = async (db: Db, typed: string): Promise<Phrase[]> => {
  const spans = spansIn(typed);
  if (spans.length === 0) return [];
  const named = await findNamed(
    db,
    spans.map(({ text }) => text),
  );
  return named.flatMap(({ span, kind, id }) => {
    const where = spans[span];
    if (where === undefined) return [];
    return [phraseAround(typed, where, kind, kind === 'category' ? { category: id } : { near: where.text })];
  });
};

/** A name as it stands at the beginning of a place. */
const asWritten = (place: string, name: string): string =>
  place.toLowerCase().startsWith(name.toLowerCase()) ? place.slice(0, name.length) : name;

const wordsOf = async (db: Db, typed: string, phrases: readonly Phrase[]): Promise<Set<string>> => {
  const wordings = await Promise.all(phrases.map(({ from, to }) => readWording(db, typed.slice(from, to))));
  return new Set(wordings.flatMap(({ words }) => words));
};

interface Meant {
  readonly phrases: readonly Phrase[];
  readonly places: readonly string[] | undefined;
}

/** A name of one place is that place. */
const withPlaces = async (db: Db, phrases: readonly Phrase[]): Promise<Meant> => {
  const at = phrases.findIndex(({ kind }) => kind === 'place');
  const phrase = phrases[at];
  const name = phrase?.filters.near;
  if (phrase === undefined || name === undefined) return { phrases, places: undefined };
  const places = await findLocations(db, [name]);
  const [first = name] = places;
  const filters = places.length === 1 ? { location: first } : { near: asWritten(first, name) };
  return { phrases: phrases.with(at, { ...phrase, filters }), places: places.length === 1 ? undefined : places };
};

interface Typed {
  readonly text: string;
  readonly query: SearchQuery;
  readonly narrowing: Narrowing;
}

/** What was typed without the phrases `taken`, of which those of `choice` are choices. */
const readingOf = async (
  db: Db,
  typed: Typed,
  { choice, taken, places }: { choice: readonly Phrase[]; taken: readonly Phrase[]; places: Meant['places'] },
): Promise<ReadAs> => {
  const filters: PhraseFilters = Object.assign({}, ...choice.map((phrase) => phrase.filters));
  const q = textWithout(typed.text, taken);
  const dropped = taken.filter((phrase) => !choice.includes(phrase));
  return {
    wording: await readWording(db, q),
    narrowing: narrowingOf(
      { ...typed.query, ...filters },
      filters.near === undefined ? typed.narrowing.places : places,
    ),
    understood: { q, ...filters },
    leftOut: [...(await wordsOf(db, typed.text, dropped))],
    isDoubtful: q !== '' && choice.some(({ kind, isBare = false }) => kind === 'place' && isBare),
  };
};

/**
 * Where all choices together leave nothing: the most that was typed as words, if a title has it (*Good Omens* where
 * none is in Portland), else the most of the choices that leave something.
 */
const readPartly = async (db: Db, typed: Typed, { phrases, places }: Meant): Promise<ReadAs | undefined> => {
  const some = choicesOf(phrases).filter(({ length }) => length > 0 && length < phrases.length);
  if (some.length === 0) return undefined;
  const asWords = some.map((taken) => readingOf(db, typed, { choice: [], taken, places }));
  const asChoices = some.toReversed().map((choice) => readingOf(db, typed, { choice, taken: phrases, places }));
  const readings = await Promise.all([...asWords, ...asChoices]);
  const fits = await judgeReadings(db, await wordShares(db), readings);
  return readings[fits.indexOf('by name')] ?? readings[fits.indexOf('anywhere', some.length)];
};

/** The reading that is meant: the first is what was typed, the last has everything read. */
const chosenOf = (readings: readonly ReadAs[], fits: readonly Fit[]): ReadAs | undefined => {
  if (fits[0] === 'by name') return undefined;
  const last = readings.length - 1;
  // Nothing but choices: no part of them is a title.
  if (readings[last]?.wording.words.length === 0 && fits[last] === 'by name') return readings[last];
  const byName = fits.indexOf('by name');
  if (byName > 0) return readings[byName];
  const anywhere = fits[0] === 'nothing' ? fits.lastIndexOf('anywhere') : -1;
  return anywhere > 0 ? readings[anywhere] : undefined;
};

/**
 * Reads price, condition, place and category from plain words: "dune under $8 good portland". Only where the rest still
 * finds something with them, and no title or author has all that was typed; as few words as possible are read so, so
 * that *Good Omens* in Portland stays a title.
 */
export const readPlainWords = async (
  db: Db,
  typed: string,
  query: SearchQuery,
  narrowing: Narrowing,
): Promise<PlainWords> => {
  const possible = [...plainPhrasesIn(typed), ...(await namedPhrasesIn(db, typed))].toSorted(
    (a, b) => b.to - b.from - (a.to - a.from),
  );
  const spare = await wordsOf(db, typed, together(possible));
  const open = possible.filter((phrase) => query.literal !== '1' && isOpen(query, phrase));
  const meant = await withPlaces(db, together(open));
  if (meant.phrases.length === 0) return { readAs: undefined, all: undefined, partly: undefined, spare };
  const asked = { text: typed, query, narrowing };
  const readings = await Promise.all(
    choicesOf(meant.phrases).map((choice) => readingOf(db, asked, { choice, taken: choice, places: meant.places })),
  );
  // Whether a title has all that was typed hangs on no choice.
  const unnarrowed = readings.slice(0, 1).map((reading) => ({ ...reading, narrowing: narrowingOf({}, undefined) }));
  const fits = await judgeReadings(db, await wordShares(db), [...unnarrowed, ...readings.slice(1)]);
  const readAs = chosenOf(readings, fits);
  const isLost = readAs === undefined && fits[0] === 'nothing';
  return { readAs, all: readings.at(-1), partly: isLost ? await readPartly(db, asked, meant) : undefined, spare };
};
