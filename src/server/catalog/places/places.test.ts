import fc from 'fast-check';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isWithin, kmBetween } from './distance.ts';
import { placeKey } from './place-key.ts';
import { openPlaces } from './places.ts';

const places = await openPlaces();

const told = (text: string): string | undefined => {
  const [place] = places.find(text);
  return place && `${place.name}, ${places.regionName(place) || place.region}, ${place.country}`;
};

test.each([
  ['Portland', 'Portland, Oregon, US'],
  ['Portland, OR', 'Portland, Oregon, US'],
  ['portland or', 'Portland, Oregon, US'],
  ['Portland, ME', 'Portland, Maine, US'],
  ['Portland, Maine, USA', 'Portland, Maine, US'],
  ['Portland, OR 97201', 'Portland, Oregon, US'],
  ['Pearl District, Portland, OR', 'Portland, Oregon, US'],
  ['Springfield', 'Springfield, Missouri, US'],
  ['Springfield, IL', 'Springfield, Illinois, US'],
  ['Paris', 'Paris, 11, FR'],
  ['Paris, France', 'Paris, 11, FR'],
  ['Paris, TX', 'Paris, Texas, US'],
  ['Paris Texas', 'Paris, Texas, US'],
  ['London SW1A 1AA', 'London, England, GB'],
  ['London, Ontario', 'London, Ontario, CA'],
  ['10115 Berlin', 'Berlin, Berlin, DE'],
  ['München', 'Munich, Bayern, DE'],
  ['Köln', 'Köln, Nordrhein-Westfalen, DE'],
  ['Cologne', 'Köln, Nordrhein-Westfalen, DE'],
  ['Wien', 'Vienna, 09, AT'],
  ['Roma', 'Rome, 07, IT'],
  ['Frankfurt', 'Frankfurt am Main, Hessen, DE'],
  ['San Sebastián', 'Donostia / San Sebastián, 59, ES'],
  ['New York, NY', 'New York City, New York, US'],
  ['Washington, D.C.', 'Washington, D.C., District of Columbia, US'],
  ['Washington', 'Washington, D.C., District of Columbia, US'],
  ['Москва', 'Moscow, 48, RU'],
])('%s is %s', (text, is) => {
  expect(told(text)).toBe(is);
});

test.each(['Springfield, France', 'Portland, Wyoming', 'Nowhere at all', '', ',', '97201'])(
  '%s is no place rather than another one',
  (text) => {
    expect(told(text)).toBeUndefined();
  },
);

test('a name that exists twice gives both, the largest first', () => {
  const regions = places.find('Springfield').map((place) => places.regionName(place));
  expect(regions.slice(0, 3)).toEqual(['Missouri', 'Massachusetts', 'Illinois']);
});

test('whatever is typed as a place is read without a mistake', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
      expect(places.find(text).every(({ id }) => places.byId(id) !== undefined)).toBe(true);
    }),
  );
});

test('distances are those of the globe', () => {
  const point = (latitude: number, longitude: number) => ({ latitude, longitude });
  expect(kmBetween(point(48.853, 2.349), point(51.509, -0.126))).toBeCloseTo(343.8, 0);
  expect(kmBetween(point(0, 179.95), point(0, -179.95))).toBeCloseTo(11.1, 1);
  expect(kmBetween(point(90, 0), point(-90, 0))).toBeCloseTo(20_015, 0);
  expect(kmBetween(point(45.5, -122.7), point(45.5, -122.7))).toBe(0);
});

test('what is told apart by latitude alone is as far as the formula says', () => {
  const aPoint = fc.record({
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  });
  fc.assert(
    fc.property(aPoint, aPoint, fc.integer({ min: 1, max: 20_000 }), (a, b, km) => {
      expect(isWithin(km, a, b)).toBe(kmBetween(a, b) <= km);
    }),
  );
});

test('places around one are found with it', () => {
  const [portland] = places.find('Portland, OR');
  const around = portland === undefined ? [] : places.around(portland, 25).map(({ name }) => name);
  expect(around).toEqual(expect.arrayContaining(['Portland', 'Vancouver', 'Gresham', 'Beaverton']));
  expect(around).not.toContain('Salem');
});

test('each name by hand says something that the list does not', async () => {
  const text = await readFile(path.join(import.meta.dirname, 'own-names.tsv'), 'utf8');
  const rows = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(rows.length).toBeGreaterThanOrEqual(200);
  const idle = rows.filter((row) => {
    const [own = '', name = ''] = row.split('\t');
    return placeKey(own) === placeKey(name);
  });
  expect(idle).toEqual([]);
});
