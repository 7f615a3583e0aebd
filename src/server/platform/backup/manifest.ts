// What lies in a backup: a folder with one compressed file a table, and this list of them.
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

/** Why a backup cannot be made, read or restored: one sentence for whoever asked for it. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** A table of a backup: `file` holds its rows as PostgreSQL's COPY writes text, through gzip. */
export interface SavedTable {
  readonly name: string;
  /** In the order of the file; generated columns are not among them. */
  readonly columns: readonly string[];
  readonly rows: number;
  readonly file: string;
  /** Of the compressed file, in bytes. */
  readonly size: number;
  /** Of the compressed file, hexadecimal. */
  readonly sha256: string;
}

/** The last number a sequence gave; undefined for one that gave none. */
export interface SavedSequence {
  readonly name: string;
  readonly last: string | undefined;
}

export interface Manifest {
  readonly format: 1;
  /** When the snapshot was taken, by the database's clock, ISO 8601 in UTC. */
  readonly takenAt: string;
  /** The PostgreSQL it was taken from, such as `18.4`. */
  readonly postgres: string;
  /** The migrations its tables have, in order. */
  readonly migrations: readonly string[];
  /** In an order in which they can be filled: a table comes after those it refers to. */
  readonly tables: readonly SavedTable[];
  readonly sequences: readonly SavedSequence[];
}

export const MANIFEST = 'manifest.json';

/** Counts line ends, hashes bytes: what passes through stays as it is. */
export const meter = (): {
  through: Transform;
  lines: () => number;
  bytes: () => number;
  sha256: () => string;
} => {
  const hash = createHash('sha256');
  let lines = 0;
  let bytes = 0;
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
      bytes += chunk.length;
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { through, lines: () => lines, bytes: () => bytes, sha256: () => hash.digest('hex') };
};

const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

/** The list of the backup in `folder`. Throws `BackupError` where there is none that this release can read. */
export const readManifest = async (folder: string): Promise<Manifest> => {
  const text = await readFile(path.join(folder, MANIFEST), 'utf8').catch(() => undefined);
  if (text === undefined) throw new BackupError(`There is no backup in ${folder}: it has no ${MANIFEST}.`);
  try {
    const manifest = JSON.parse(text) as Manifest;
    if (manifest.format === 1) return manifest;
  } catch {
    throw new BackupError(`The list of the backup in ${folder} is damaged: ${MANIFEST} cannot be read.`);
  }
  throw new BackupError(`The backup in ${folder} was made by a newer Dogear, in a form that this one does not know.`);
};

/** Reads every byte of a backup and compares it with its list. Throws `BackupError` at the first that differs. */
export const verifyBackup = async (folder: string, onTable: (name: string) => void = () => {}): Promise<Manifest> => {
  const manifest = await readManifest(folder);
  for (const { name, file, rows, size, sha256 } of manifest.tables) {
    const packed = meter();
    const plain = meter();
    try {
      const source = createReadStream(path.join(folder, file));
      await pipeline(source, packed.through, createGunzip(), plain.through, nowhere());
    } catch (error) {
      throw new BackupError(
        `The backup in ${folder} is damaged: ${file} cannot be read (${(error as Error).message}).`,
      );
    }
    if (packed.bytes() !== size || packed.sha256() !== sha256 || plain.lines() !== rows) {
      throw new BackupError(`The backup in ${folder} is damaged: ${file} is not what was written.`);
    }
    onTable(name);
  }
  return manifest;
};
