import { StartError } from '#server/platform/start-error.ts';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { fakeBinaries, isRoot, makeWorkshop, ORDINARY_ID } from '#test/databases/database-owner.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { shippedBinaries } from './binaries.ts';
import { ownerOf } from './placement.ts';

const workshop = makeWorkshop();
const quiet = { log: () => {} };

afterEach(workshop.tidy);
afterAll(workshop.close);

/** What the start says when it does not happen; whoever starts the shop reads this and nothing else. */
const refusal = async (dataDir: string, binaries?: string): Promise<string> => {
  const answer = await startEmbeddedPostgres({ dataDir, binaries, ...quiet }).catch((error: unknown) => error);
  expect(answer).toBeInstanceOf(StartError);
  const message = answer instanceof Error ? answer.message : '';
  expect(message).toMatch(/^[A-Z][^\n]*\.$/);
  return message;
};

test('a database of another major version is named and left as it is', async () => {
  const dataDir = path.join(workshop.folder(), 'data');
  mkdirSync(path.join(dataDir, 'postgres'), { recursive: true });
  writeFileSync(path.join(dataDir, 'postgres/PG_VERSION'), '17\n');
  if (isRoot) chownSync(path.join(dataDir, 'postgres'), ORDINARY_ID, ORDINARY_ID);
  expect(await refusal(dataDir)).toMatch(
    /made by PostgreSQL 17.*brings PostgreSQL 18.*: move .*\/data away, and the next start/,
  );
  expect(readdirSync(path.join(dataDir, 'postgres'))).toEqual(['PG_VERSION']);
});

test('a plain PostgreSQL folder is not taken for ours', async () => {
  const dataDir = workshop.folder();
  writeFileSync(path.join(dataDir, 'PG_VERSION'), '15\n');
  expect(await refusal(dataDir)).toContain('is not empty and holds no database of Dogear (it has "PG_VERSION")');
});

test('a folder with something else in it is left alone', async () => {
  const dataDir = workshop.folder();
  writeFileSync(path.join(dataDir, 'thesis.odt'), 'years of work');
  expect(await refusal(dataDir)).toContain('is not empty and holds no database of Dogear (it has "thesis.odt")');
  expect(readdirSync(dataDir)).toEqual(['thesis.odt']);
});

test('a database folder that is none is left alone', async () => {
  const dataDir = workshop.folder();
  mkdirSync(path.join(dataDir, 'postgres'));
  writeFileSync(path.join(dataDir, 'postgres/notes.txt'), 'mine');
  expect(await refusal(dataDir)).toContain('is not empty and is no database');
  expect(readdirSync(path.join(dataDir, 'postgres'))).toEqual(['notes.txt']);
});

test('a file in place of the folder', async () => {
  const file = path.join(workshop.folder(), 'data');
  writeFileSync(file, '');
  expect(await refusal(file)).toMatch(/cannot be kept in .*data: /);
});

test('a platform that npm has no PostgreSQL for is told of DATABASE_URL', async () => {
  const dataDir = path.join(workshop.folder(), 'data');
  const nodeArgs = ['--import', 'data:text/javascript,Object.defineProperty(process,"arch",{value:"s390x"})'];
  const owner = workshop.owner(dataDir, { nodeArgs });
  expect((await owner.exited).code).toBe(1);
  expect(owner.output().trim()).toBe(
    `Dogear ships no PostgreSQL for ${process.platform} on s390x: set DATABASE_URL to a PostgreSQL 15 or newer.`,
  );
  expect(existsSync(dataDir)).toBe(false);
});

test('binaries that the system cannot load, as on Alpine, are told of DATABASE_URL', async () => {
  const binaries = fakeBinaries(path.join(workshop.folder(), 'native'), { postgres: '#!/lib64/no-such-loader.so.2\n' });
  expect(await refusal(path.join(workshop.folder(), 'data'), binaries)).toMatch(
    /cannot run on this machine \(it needs glibc\): set DATABASE_URL to a PostgreSQL 15 or newer\./,
  );
});

test('binaries that lack a library of the system say which', async () => {
  const text =
    '#!/bin/sh\necho "postgres: error while loading shared libraries: libx.so.1: cannot open" >&2; exit 127\n';
  const binaries = fakeBinaries(path.join(workshop.folder(), 'native'), { postgres: text });
  expect(await refusal(path.join(workshop.folder(), 'data'), binaries)).toMatch(/libx\.so\.1.*DATABASE_URL/);
});

test('a full disk at the first start leaves nothing half made', async () => {
  const dataDir = path.join(workshop.folder(), 'data');
  const binaries = fakeBinaries(path.join(workshop.folder(), 'native'), {
    postgres: '#!/bin/sh\necho "postgres (PostgreSQL) 18.4"\n',
    initdb: '#!/bin/sh\necho "initdb: error: could not write to file: No space left on device" >&2; exit 1\n',
  });
  expect(await refusal(dataDir, binaries)).toContain('No space left on device');
  expect(existsSync(path.join(dataDir, 'postgres'))).toBe(false);
  const server = await startEmbeddedPostgres({ dataDir, ...quiet });
  await server.stop();
});

test('a server that does not start says why, and the folder is free again', async () => {
  const dataDir = await workshop.database();
  const settings = { shared_buffers: 'plenty' };
  await expect(startEmbeddedPostgres({ dataDir, settings, ...quiet })).rejects.toThrow(
    /does not start on .*invalid value for parameter "shared_buffers": "plenty"/,
  );
  const server = await startEmbeddedPostgres({ dataDir, ...quiet });
  await server.stop();
});

test('a folder that one may not write to', async () => {
  const folder = workshop.folder();
  if (!isRoot) chmodSync(folder, 0o555);
  const closed = workshop.owner(path.join(folder, 'data'), { ordinary: true });
  expect((await closed.exited).code).toBe(1);
  expect(closed.output().trim()).toBe(
    `The database cannot be kept in ${path.join(folder, 'data')}: this user may not write there.`,
  );
});

test('a database of somebody else is not started', () => {
  expect(() => ownerOf('/')).toThrow(isRoot ? /belongs to root.*chown/ : /belongs to another user \(number 0\)/);
});

test('the binaries from npm are found', () => {
  expect(readdirSync(path.join(shippedBinaries(), 'bin'))).toContain('postgres');
});
