import type { NamedPlace, SearchAnswer } from '#contract/catalog/search.ts';
import { DEFAULT_WITHIN_KM } from '#contract/catalog/search-choices.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Rail, railCopy, spread, type RailCopy } from './rail.tsx';

/** What is asked of the search for books near a place. */
export const nearQuery = (near: string) =>
  ({ near, within: DEFAULT_WITHIN_KM, available: '1', sort: 'newest', limit: '24' }) as const;

/** The copies near a place, and what the place is called. */
export interface NearShown {
  readonly typed: string;
  /** Undefined where there is no such place, or nobody could be asked. */
  readonly place: string | undefined;
  readonly isUnknown: boolean;
  /** Other places of the name, as they may be typed. */
  readonly others: readonly string[];
  readonly copies: readonly RailCopy[];
}

const placeName = ({ name, region, country }: NamedPlace): string => `${name}, ${region === '' ? country : region}`;

const MOST_OTHERS = 3;

/** What was answered; undefined where that was not to be had. */
export const nearShown = (typed: string, answer: SearchAnswer | undefined): NearShown => {
  const taken = answer?.near?.taken ?? undefined;
  return {
    typed,
    place: taken && placeName(taken),
    isUnknown: answer !== undefined && taken === undefined,
    others: (answer?.near?.others ?? []).slice(0, MOST_OTHERS).map(placeName),
    copies: spread(answer?.listings ?? []).map(railCopy),
  };
};

/** Digits alone would be taken for the number of a place. */
export const isPlaceName = (typed: string): boolean => /\p{L}/u.test(typed);

const nothingNear = ({ typed, place, isUnknown }: NearShown): string => {
  if (isUnknown) return `We know no place called “${typed}”.`;
  return place === undefined
    ? 'Books near it could not be looked up just now.'
    : `No book within ${DEFAULT_WITHIN_KM} km of ${place} just now.`;
};

/**
 * Books near a place that somebody typed: it stands in the address, so that it can be kept, and nowhere else. A form
 * that needs no scripts.
 */
export const NearRail = ({ near }: { near: NearShown | undefined }) => (
  <>
    <form action="/" className="page flex flex-wrap items-center gap-2 pt-6">
      <label htmlFor="near" className="font-serif text-xl font-semibold whitespace-nowrap sm:text-2xl">
        Near
      </label>
      <input
        id="near"
        key={near?.typed}
        name="near"
        defaultValue={near?.typed}
        maxLength={200}
        autoComplete="address-level2"
        placeholder="A town or city"
        className="input h-11 min-w-0 flex-[1_1_7rem] text-base sm:max-w-64 sm:text-sm"
      />
      <button type="submit" className={buttonClass('secondary')}>
        Show<span className="sr-only"> books near it</span>
      </button>
    </form>
    {near !== undefined && near.copies.length === 0 && <p className="page py-3 text-muted">{nothingNear(near)}</p>}
    {near !== undefined && (
      <Rail
        id="near-rail"
        title={near.place === undefined ? `In ${near.typed}` : `Within ${DEFAULT_WITHIN_KM} km of ${near.place}`}
        all={`/search?${new URLSearchParams({ near: near.typed, within: DEFAULT_WITHIN_KM }).toString()}`}
        copies={near.copies}
      />
    )}
    {near !== undefined && near.others.length > 0 && (
      <p className="page text-sm">
        Another {near.typed}?
        {near.others.map((place) => (
          <a key={place} href={`/?near=${encodeURIComponent(place)}`} className="text-link ms-2">
            {place}
          </a>
        ))}
      </p>
    )}
  </>
);
