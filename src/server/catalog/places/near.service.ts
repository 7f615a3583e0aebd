import type { NamedPlace, Near } from '#contract/catalog/search.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { isWithin } from './distance.ts';
import { findLocations } from './locations.queries.ts';
import { openPlaces, type Place, type Places } from './places.ts';

/** More places of one name than these are not offered. */
const MOST_OTHERS = 9;

const told = (places: Places, place: Place): NamedPlace => ({
  id: place.id,
  name: place.name,
  region: places.regionName(place),
  country: places.countryName(place),
});

/** The place that is meant by an id or a name, and the others that may be. */
const choose = (places: Places, text: string): { taken: Place | undefined; others: readonly Place[] } => {
  const byId = places.byId(text);
  const named = byId === undefined ? places.find(text) : places.sameName(byId);
  const taken = byId ?? named[0];
  return { taken, others: named.filter((place) => place !== taken) };
};

/**
 * The locations of copies so near to a place, which is told by its id or name. A location belongs to the place that its
 * text means; where it names no region and there are several, to the largest. Where no place has the name, `near.taken`
 * is null and the locations are those that begin with it.
 */
export const locationsAround = async (
  db: Db,
  text: string,
  km: number,
): Promise<{ readonly locations: readonly string[]; readonly near: Near }> => {
  const places = await openPlaces();
  const { taken, others } = choose(places, text);
  if (taken === undefined) return { locations: await findLocations(db, [text]), near: { taken: null, others: [] } };
  const around = new Set(places.around(taken, km));
  // A name finds what begins with it, in whichever country.
  const begun = await findLocations(db, [...around].flatMap(places.namesOf));
  const locations = begun.filter((location) => {
    const [place] = places.find(location);
    return place !== undefined && around.has(place);
  });
  return {
    locations,
    near: { taken: told(places, taken), others: others.slice(0, MOST_OTHERS).map((other) => told(places, other)) },
  };
};

/** Whether a text is the id of a place. */
export const isPlaceId = async (text: string): Promise<boolean> =>
  /^\d{1,9}$/.test(text) && (await openPlaces()).byId(text) !== undefined;

/** Whether a text names a place that is known here. */
export const isKnownPlace = async (text: string): Promise<boolean> =>
  choose(await openPlaces(), text).taken !== undefined;

/** Whether a location is so near to a place, as `locationsAround` takes both; false where either is nowhere. */
export const isAround = async (text: string, km: number, location: string): Promise<boolean> => {
  const places = await openPlaces();
  const { taken } = choose(places, text);
  const [place] = places.find(location);
  return taken !== undefined && place !== undefined && isWithin(km, taken, place);
};
