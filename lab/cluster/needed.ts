import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Debian's packages whose programs the cluster is made of. */
export interface Programs {
  /** The folder of `postgres`, `initdb` and `pg_basebackup`. */
  readonly postgres: string;
  readonly patroni: string;
  readonly etcd: string;
  readonly haproxy: string;
  readonly pgbouncer: string;
  readonly setpriv: string;
}

const POSTGRES_HOME = '/usr/lib/postgresql';
/** Not everybody's PATH has the last ones, where Debian keeps servers. */
const FOLDERS = ['/usr/bin', '/bin', '/usr/local/bin', '/usr/sbin', '/sbin'];

/** Which program is which package. */
const PACKAGE_OF: Readonly<Record<keyof Programs, string>> = {
  postgres: 'postgresql',
  patroni: 'patroni',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  setpriv: 'util-linux',
};

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const inPath = (name: string): string | undefined =>
  FOLDERS.map((folder) => path.join(folder, name)).find((file) => isProgram(file));

const newestPostgres = (): string | undefined => {
  if (!existsSync(POSTGRES_HOME)) return undefined;
  const versions = readdirSync(POSTGRES_HOME).filter((name) => /^\d+$/.test(name));
  return versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => path.join(POSTGRES_HOME, version, 'bin'))
    .find((folder) => Number(path.basename(path.dirname(folder))) >= 15 && isProgram(path.join(folder, 'initdb')));
};

/** Where each program lies on this machine; undefined for one that is not there. */
export const findPrograms = (): { readonly [Name in keyof Programs]: string | undefined } => ({
  postgres: newestPostgres(),
  patroni: inPath('patroni'),
  etcd: inPath('etcd'),
  haproxy: inPath('haproxy'),
  pgbouncer: inPath('pgbouncer'),
  setpriv: inPath('setpriv'),
});

/** All programs, or the one sentence that says what is missing and how to get it. */
export const requirePrograms = (found: { readonly [Name in keyof Programs]: string | undefined }):
  | Programs
  | string => {
  const { postgres, patroni, etcd, haproxy, pgbouncer, setpriv } = found;
  if (postgres && patroni && etcd && haproxy && pgbouncer && setpriv) {
    return { postgres, patroni, etcd, haproxy, pgbouncer, setpriv };
  }
  const names = Object.keys(PACKAGE_OF) as (keyof Programs)[];
  const missing = names.filter((name) => found[name] === undefined).map((name) => PACKAGE_OF[name]);
  return (
    `The drill needs ${missing.join(', ')} of Debian, which this machine does not have: apt-get install ${missing.join(' ')}\n` +
    'It uses the programs alone: what the packages start by themselves may be stopped, and is not touched.'
  );
};
