import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { memoise } from '#server/platform/memoise.ts';
import { isWithin, type Point } from './distance.ts';
import { placeKey } from './place-key.ts';

/** A place of the world. */
export interface Place extends Point {
  /** That of GeoNames. */
  readonly id: string;
  readonly name: string;
  /** Two letters. */
  readonly country: string;
  /** As GeoNames has it. */
  readonly region: string;
  /** The largest place has 0. */
  readonly rank: number;
}

/** A country, or a region of it, that stands behind the name of a place. */
interface Area {
  readonly country: string;
  readonly region?: string;
}

/** What countries are called beside their names and codes. */
const MORE_COUNTRIES: Readonly<Record<string, string>> = {
  usa: 'US',
  'u s a': 'US',
  'united states of america': 'US',
  america: 'US',
  uk: 'GB',
  'great britain': 'GB',
  holland: 'NL',
  deutschland: 'DE',
  österreich: 'AT',
  schweiz: 'CH',
  suisse: 'CH',
  italia: 'IT',
  españa: 'ES',
  polska: 'PL',
  'česká republika': 'CZ',
  'czech republic': 'CZ',
};

const readRows = async (name: string): Promise<string[][]> => {
  const text = await readFile(path.join(import.meta.dirname, name), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => line.split('\t'));
};

const addTo = <Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void => {
  const present = map.get(key);
  if (present === undefined) map.set(key, [value]);
  else if (!present.includes(value)) present.push(value);
};

const placeIn = (
  [id = '', name = '', country = '', region = '', latitude, longitude]: string[],
  rank: number,
): Place => ({
  id,
  name,
  country,
  region,
  latitude: Number(latitude),
  longitude: Number(longitude),
  rank,
});

/** "Donostia / San Sebastián" is called by both. */
const writtenNames = ({ name }: Place): string[] => (name.includes('/') ? [name, ...name.split('/')] : [name]);

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

const readAreas = async (countries: ReadonlySet<string>) => {
  const areas = new Map<string, Area[]>();
  const regionNames = new Map<string, string>();
  for (const country of countries) {
    for (const word of [country, countryNames.of(country) ?? country]) addTo(areas, placeKey(word), { country });
  }
  for (const [word, country] of Object.entries(MORE_COUNTRIES)) addTo(areas, placeKey(word), { country });
  for (const [country = '', region = '', short = '', name = ''] of await readRows('regions.tsv')) {
    regionNames.set(`${country} ${region}`, name);
    for (const word of short === '' ? [name] : [short, name]) addTo(areas, placeKey(word), { country, region });
  }
  return { areas, regionNames };
};

const isIn = ({ country, region }: Place, area: Area): boolean =>
  country === area.country && (area.region === undefined || region === area.region);

/** "SW1A 1AA London", "Portland, OR 97201": what holds a figure is no part of a name. */
const withoutCodes = (words: string): string =>
  words
    .split(' ')
    .filter((word) => !/\p{N}/u.test(word))
    .join(' ');

const read = async () => {
  const places = (await readRows('places.tsv')).map(placeIn);
  const byId = new Map(places.map((place) => [place.id, place]));
  const byName = new Map<string, Place[]>();
  for (const place of places) for (const name of writtenNames(place)) addTo(byName, placeKey(name), place);
  const ownNames = new Map<Place, string[]>();
  for (const [own = '', name = '', country = ''] of await readRows('own-names.tsv')) {
    const place = byName.get(placeKey(name))?.find((one) => one.country === country);
    if (place === undefined) throw new Error(`own-names.tsv: ${name} in ${country} is no place of places.tsv`);
    addTo(byName, placeKey(own), place);
    addTo(ownNames, place, own);
  }
  for (const named of byName.values()) named.sort((a, b) => a.rank - b.rank);
  const { areas, regionNames } = await readAreas(new Set(places.map(({ country }) => country)));

  /** Those of a name that are in everything that is said behind it; what is no country or region says nothing. */
  const namedIn = (name: string, behind: readonly string[]): Place[] | undefined => {
    const said = behind.flatMap((words) => (areas.has(words) ? [areas.get(words) ?? []] : []));
    return byName.get(name)?.filter((place) => said.every((meant) => meant.some((area) => isIn(place, area))));
  };

  /** "portland or": the last words may say where it is. */
  const namedInWords = (words: readonly string[], behind: readonly string[]): Place[] | undefined => {
    for (let last = words.length - 1; last > 0; last -= 1) {
      const area = words.slice(last).join(' ');
      const named = areas.has(area) ? namedIn(words.slice(0, last).join(' '), [area, ...behind]) : undefined;
      if (named !== undefined && named.length > 0) return named;
    }
    return undefined;
  };

  /** The places that a text may mean, the largest first: a name, and what is behind it with or without commas. */
  const find = (text: string): readonly Place[] => {
    const whole = byName.get(placeKey(text));
    if (whole !== undefined) return whole;
    const parts = text.split(/[,;()]/).map((part) => withoutCodes(placeKey(part)));
    const named = parts.filter((part) => part !== '');
    for (const [at, name] of named.entries()) {
      const behind = named.slice(at + 1);
      const found = namedIn(name, behind) ?? namedInWords(name.split(' '), behind);
      if (found !== undefined) return found;
    }
    return [];
  };

  return {
    find,
    byId: (id: string): Place | undefined => byId.get(id),
    sameName: (place: Place): readonly Place[] => byName.get(placeKey(place.name)) ?? [],
    /** Every place so near to one, itself too. */
    around: (place: Place, km: number): Place[] => places.filter((other) => isWithin(km, place, other)),
    namesOf: (place: Place): string[] => [...writtenNames(place), ...(ownNames.get(place) ?? [])],
    /** Empty where we have no name for it. */
    regionName: ({ country, region }: Place): string => regionNames.get(`${country} ${region}`) ?? '',
    countryName: ({ country }: Place): string => countryNames.of(country) ?? country,
  };
};

export type Places = Awaited<ReturnType<typeof read>>;

/** The places of the world of at least 15,000 people, read from this folder when they are first asked for. */
export const openPlaces: () => Promise<Places> = memoise(read);
