import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './project.mjs';

/** What hands a test the PostgreSQL that all tests are told of (TEST_DATABASE_URL). */
const DOOR = 'test/database.ts';
const FOLDERS = ['db', 'scripts', 'src', 'test'];
const IMPORT = /(?:from|import\()\s*'([#.][^']+)'/g;

const { imports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/** The file that `source` names in `file`. */
const imported = (file, source) => {
  const room = Object.entries(imports).find(([name]) => source.startsWith(name.slice(0, -1)));
  if (room === undefined) return path.join(path.dirname(file), source);
  const [name, folder] = room;
  return path.join(folder.slice(0, -1), source.slice(name.length - 1));
};

/** What tries many stories and odd requests: it asks PostgreSQL for nothing that the tests beside it do not ask for. */
const OF_MANY_STORIES = /\.model\.test\.ts$|^test\/hostile\/(fuzz|limits)\.test\.ts$/;

/**
 * The tests that reach the PostgreSQL they are given. All others run alike whichever it is: a run that is about another
 * one gains nothing by them.
 */
export const databaseTests = () => {
  const known = new Map([[DOOR, true]]);
  const reaches = (file) => {
    const answer = known.get(file);
    if (answer !== undefined) return answer;
    known.set(file, false);
    const target = path.join(root, file);
    const sources = existsSync(target) ? [...readFileSync(target, 'utf8').matchAll(IMPORT)] : [];
    const isReached = sources.some(([, source]) => reaches(imported(file, source)));
    known.set(file, isReached);
    return isReached;
  };
  return FOLDERS.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true })
      .map((file) => path.join(folder, file))
      .filter((file) => file.endsWith('.test.ts') && !OF_MANY_STORIES.test(file) && reaches(file)),
  );
};
