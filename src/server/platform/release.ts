import { readdirSync } from 'node:fs';
import path from 'node:path';

/** Where the migrations lie. */
export const MIGRATIONS_FOLDER = path.join(import.meta.dirname, '../../../db/migrations');

/** The number of the newest migration that this release knows, such as `0029`: releases are told apart by it. */
export const RELEASE = readdirSync(MIGRATIONS_FOLDER)
  .filter((name) => name.endsWith('.sql'))
  .reduce((newest, name) => (name > newest ? name : newest), '')
  .slice(0, 4);

/**
 * What a connection of the shop tells the database it is: who wants to take something away sees by it whether a release
 * before is still at work.
 */
export const connectionName = (kind: 'pool' | 'listen'): string =>
  `dogear ${kind === 'listen' ? 'listen ' : ''}${RELEASE}`;
