import { setTimeout as sleep } from 'node:timers/promises';
import { CircuitOpen, createBreaker } from '#server/platform/breaker.ts';
import type { KnownFacts } from './edition.queries.ts';
import { factsOf, namesOf, type Json } from './record.ts';

export const OPEN_LIBRARY = 'https://openlibrary.org/';

/** Somebody is waiting at a form. */
const TIME_MS = 2_000;
const MOST_BYTES = 1_000_000;
const CALLED = 'open-library';

/** Open Library could not be asked, or did not answer as it should. */
export class OpenLibraryDown extends Error {
  override readonly name = 'OpenLibraryDown';
}

/** Asks Open Library what it knows of an ISBN; undefined where nothing. Throws `OpenLibraryDown`. */
export type AskOpenLibrary = (isbn13: string) => Promise<KnownFacts | undefined>;

export interface OpenLibraryOptions {
  readonly url: string;
  /** Names the shop and how its operator is reached: without that it refuses. */
  readonly userAgent: string;
  /** When the next request may be made, in ms from now; undefined: not soon. All processes share it. */
  readonly takeTurn: () => Promise<number | undefined>;
}

const readText = async (answer: Response): Promise<string> => {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const piece of answer.body ?? []) {
    bytes += piece.length;
    if (bytes > MOST_BYTES) throw new OpenLibraryDown('it answered too much');
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
};

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The record of the one ISBN that was asked for; undefined in the empty object that means there is none. */
const recordIn = (text: string): Json | undefined => {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new OpenLibraryDown('it answered what is no JSON');
  }
  if (!isObject(answer)) throw new OpenLibraryDown('it answered no object');
  const [record] = Object.values(answer);
  return isObject(record) ? record : undefined;
};

/**
 * A client of Open Library's Books API (https://openlibrary.org/dev/docs/api/books). `details` is the edition's record,
 * with the names of its authors if it has its own; those of its work are in `data`, so that some ISBNs take two
 * requests. One that fails again and again is left alone for a moment.
 */
export const createOpenLibrary = ({ url, userAgent, takeTurn }: OpenLibraryOptions): AskOpenLibrary => {
  const breaker = createBreaker({ dependency: CALLED, isFailure: (error) => error instanceof OpenLibraryDown });

  const request = async (isbn13: string, what: 'details' | 'data', signal: AbortSignal): Promise<Json | undefined> => {
    const at = new URL('api/books', url);
    at.search = new URLSearchParams({ bibkeys: `ISBN:${isbn13}`, jscmd: what, format: 'json' }).toString();
    const wait = await takeTurn();
    // Not its fault: the breaker is not told.
    if (wait === undefined) throw new CircuitOpen(CALLED);
    try {
      await sleep(wait, undefined, { signal });
      const headers = { 'User-Agent': userAgent, Accept: 'application/json' };
      const answer = await fetch(at, { headers, signal, redirect: 'error' });
      if (answer.status !== 200) {
        await answer.body?.cancel();
        throw new OpenLibraryDown(`it answered ${answer.status}`);
      }
      return recordIn(await readText(answer));
    } catch (error) {
      if (error instanceof OpenLibraryDown) throw error;
      throw new OpenLibraryDown(error instanceof Error ? error.message : 'it could not be reached', { cause: error });
    }
  };

  const ask: AskOpenLibrary = async (isbn13) => {
    const signal = AbortSignal.timeout(TIME_MS);
    const found = await request(isbn13, 'details', signal);
    const record = isObject(found?.['details']) ? found['details'] : undefined;
    const facts = record && factsOf(record);
    if (record === undefined || facts === undefined) return undefined;
    const own = namesOf(record);
    if (own !== '' || !Array.isArray(record['works'])) return { ...facts, authors: own };
    return { ...facts, authors: namesOf((await request(isbn13, 'data', signal)) ?? {}) };
  };

  return async (isbn13) => {
    try {
      return await breaker.call(() => ask(isbn13));
    } catch (error) {
      if (error instanceof CircuitOpen) throw new OpenLibraryDown(error.message, { cause: error });
      throw error;
    }
  };
};
