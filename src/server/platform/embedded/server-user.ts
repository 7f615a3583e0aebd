import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { EmbeddedPostgresError } from './refusal.ts';

/** Whom PostgreSQL runs as, when that is not ourselves. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses root, so root lends it this user, which every system has. */
const UNPRIVILEGED = 'nobody';
const UNPRIVILEGED_ID = 65_534;

/** A small environment of our own: PG* and LD_* of whoever starts the shop must not reach the server. */
export const SERVER_ENVIRONMENT = { PATH: '/usr/bin:/bin', LANG: 'C', LC_ALL: 'C', TZ: 'UTC' };

export const isRoot = (): boolean => process.getuid?.() === 0;

const idOf = (flag: string): number => {
  try {
    return Number(execFileSync('id', [flag, UNPRIVILEGED], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  } catch {
    return UNPRIVILEGED_ID;
  }
};

/** The spawn options that run a program as `user`, from a folder everybody may be in. */
export const spawnAs = (user: ServerUser | undefined) =>
  ({ ...(user && { uid: user.uid, gid: user.gid }), cwd: '/', env: SERVER_ENVIRONMENT }) as const;

/** Whether `user` (ourselves when undefined) can go into `folder`. Asked of the system: modes alone do not tell. */
export const canEnter = (user: ServerUser | undefined, folder: string): boolean =>
  spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...spawnAs(user), stdio: 'ignore' }).status === 0;

/** The user PostgreSQL runs as: ourselves (undefined), or, since it refuses root, an unprivileged one. */
export const findServerUser = (): ServerUser | undefined => {
  if (!isRoot()) return undefined;
  const user = { uid: idOf('-u'), gid: idOf('-g') };
  if (canEnter(user, '/')) return user;
  throw new EmbeddedPostgresError(
    `PostgreSQL does not run as root, and this system lets root run nothing as the user ${UNPRIVILEGED}: ` +
      'start the shop as another user, or set DATABASE_URL to a PostgreSQL 15 or newer.',
  );
};

/** The user an existing database folder belongs to, who must run its server; refuses when we cannot be that user. */
export const ownerOf = (folder: string): ServerUser | undefined => {
  const { uid, gid } = statSync(folder);
  if (uid === process.getuid?.()) {
    if (uid !== 0) return undefined;
    throw new EmbeddedPostgresError(
      `The database in ${folder} belongs to root, and PostgreSQL does not run as root: ` +
        `give it to another user (chown -R ${UNPRIVILEGED} ${folder}).`,
    );
  }
  if (isRoot()) return { uid, gid };
  throw new EmbeddedPostgresError(
    `The database in ${folder} belongs to another user (number ${uid}): start the shop as that user or as root, ` +
      'or set DATA_DIR to another folder.',
  );
};
