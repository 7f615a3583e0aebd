import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { statSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { ask, isRoot, makeWorkshop, ORDINARY_ID, serversOf } from '#test/databases/database-owner.ts';
import { readConfig } from '#server/platform/config.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts';
import { shippedBinaries } from './binaries.ts';

const workshop = makeWorkshop();
const quiet = { log: () => {} };
const running: EmbeddedPostgres[] = [];
const moved: string[] = [];

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
  for (const folder of moved.splice(0)) rmSync(folder, { recursive: true, force: true });
  if (existsSync('/var/lib/dogear') && readdirSync('/var/lib/dogear').length === 0)
    rmSync('/var/lib/dogear', { recursive: true });
  await workshop.tidy();
});

afterAll(workshop.close);

const start = async (options: Parameters<typeof startEmbeddedPostgres>[0]): Promise<EmbeddedPostgres> => {
  const server = await startEmbeddedPostgres(options);
  running.push(server);
  // Root's own place for a folder that others cannot enter lasts, so the test removes it.
  if (server.dataDir.startsWith('/var/lib/dogear/')) moved.push(path.dirname(server.dataDir));
  return server;
};

const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8);

describe('who runs the server', () => {
  test('never root', async () => {
    const dataDir = path.join(workshop.folder(), 'data');
    await start({ dataDir, ...quiet });
    const [server] = serversOf(dataDir);
    expect(server?.uid).not.toBe(0);
    expect(server?.uid).toBe(isRoot ? ORDINARY_ID : process.getuid?.());
    expect(statSync(path.join(dataDir, 'postgres')).uid).toBe(server?.uid);
    expect(modeOf(path.join(dataDir, 'postgres'))).toBe('700');
  });

  test('an ordinary user runs it as themselves, in a folder that only they can enter', async () => {
    const dataDir = path.join(workshop.ordinaryFolder(), 'data');
    const owner = workshop.owner(dataDir, { ordinary: true });
    expect(await ask(await owner.url, 'SELECT 1')).toBe('1');
    expect(owner.output()).toContain(`PostgreSQL runs on ${dataDir}.`);
    expect(serversOf(dataDir)[0]?.uid).toBe(isRoot ? ORDINARY_ID : process.getuid?.());
    expect(modeOf(dataDir)).toBe('700');
    owner.kill('SIGINT');
    expect((await owner.exited).code).toBe(0);
    expect(serversOf(dataDir)).toEqual([]);
  });

  test('a database stays with the user who made it, whoever may start it later', async () => {
    const folder = workshop.folder();
    const dataDir = path.join(folder, 'data');
    if (isRoot) mkdirSync(dataDir);
    if (isRoot) chownSync(dataDir, ORDINARY_ID, ORDINARY_ID);
    const owner = workshop.owner(dataDir, { ordinary: true });
    await ask(await owner.url, "CREATE TABLE kept AS SELECT 'Shirley' AS title");
    owner.kill('SIGINT');
    await owner.exited;
    const server = await start({ dataDir, ...quiet });
    expect(await ask(server.url, 'SELECT title FROM kept')).toBe('Shirley');
    expect(serversOf(dataDir)[0]?.uid).toBe(statSync(path.join(dataDir, 'postgres')).uid);
  });

  test('a folder that the user of the server cannot enter is left alone for a lasting one, and that is said', async () => {
    const closed = workshop.folder(0o700);
    const binaries = path.join(closed, 'package/native');
    cpSync(shippedBinaries(), binaries, { recursive: true, verbatimSymlinks: true });
    const options = { dataDir: path.join(closed, 'data'), binaries, ...quiet };
    // Lasting, so the test removes it.
    const hash = createHash('sha256').update(binaries).digest('hex').slice(0, 16);
    moved.push(path.join('/var/lib/dogear', hash));
    const server = await start(options);
    if (isRoot) {
      expect(server.dataDir).toMatch(/^\/var\/lib\/dogear\/[0-9a-f]{16}\/data$/);
      expect(server.messages).toEqual([expect.stringContaining(`the database is kept in ${server.dataDir}`)]);
      expect(existsSync(options.dataDir)).toBe(false);
    } else {
      expect(server.dataDir).toBe(options.dataDir);
      expect(server.messages).toEqual([]);
    }
    await ask(server.url, "CREATE TABLE kept AS SELECT 'Ruth' AS title");
    await server.stop();
    // The same again, also when the folder can be entered by then: no second database appears.
    chmodSync(closed, 0o755);
    const again = await start(options);
    expect(again.dataDir).toBe(server.dataDir);
    expect(await ask(again.url, 'SELECT title FROM kept')).toBe('Ruth');
  });

  test('what the shop keeps beside its database is not taken for somebody else’s', async () => {
    const dataDir = path.join(workshop.folder(), 'data');
    const { photos } = readConfig({ DATA_DIR: dataDir });
    for (const folder of ['folder' in photos ? photos.folder : '', path.join(dataDir, 'standins')])
      mkdirSync(folder, { recursive: true });
    const server = await start({ dataDir, ...quiet });
    expect(server.dataDir).toBe(dataDir);
  });

  test('a folder reached by two paths is one folder', async () => {
    const folder = workshop.folder();
    mkdirSync(path.join(folder, 'real'));
    symlinkSync(path.join(folder, 'real'), path.join(folder, 'link'));
    await start({ dataDir: path.join(folder, 'real/data'), ...quiet });
    await expect(start({ dataDir: path.join(folder, 'link/data'), ...quiet })).rejects.toThrow('is in use by another');
  });
});

describe('how it is reached', () => {
  test('a path too long for a socket gets a short folder that nobody else can enter', async () => {
    const dataDir = path.join(workshop.folder(), 'a'.repeat(60), 'b'.repeat(60), 'data');
    const server = await start({ dataDir, ...quiet });
    const folder = new URL(server.url).searchParams.get('host') ?? '';
    expect(Buffer.byteLength(path.join(folder, '.s.PGSQL.5432'))).toBeLessThan(100);
    expect(modeOf(folder)).toBe('700');
    expect(server.dataDir).toBe(dataDir);
    expect(await ask(server.url, 'SHOW data_directory')).toBe(path.join(dataDir, 'postgres'));
    await server.stop();
    expect(existsSync(folder)).toBe(false);
  });
});

describe('the links between the libraries, which npm does not bring', () => {
  test('are made, and made right, by whoever comes first', async () => {
    const binaries = path.join(workshop.folder(), 'package/native');
    cpSync(shippedBinaries(), binaries, { recursive: true, verbatimSymlinks: true });
    const lib = path.join(binaries, 'lib');
    const links = readdirSync(lib).filter((name) => lstatSync(path.join(lib, name)).isSymbolicLink());
    expect(links).toContain('libpq.so.5');
    for (const link of links) rmSync(path.join(lib, link));
    symlinkSync('/nowhere/libpq.so.5.18', path.join(lib, 'libpq.so.5'));
    const folders = [await workshop.database(), await workshop.database()];
    const servers = await Promise.all(folders.map((dataDir) => start({ dataDir, binaries, ...quiet })));
    for (const server of servers) expect(await ask(server.url, 'SELECT 1')).toBe('1');
    expect(readdirSync(lib).filter((name) => lstatSync(path.join(lib, name)).isSymbolicLink())).toEqual(links);
  });
});

describe('what an earlier end left behind', () => {
  test('half of a first start is made anew', async () => {
    const dataDir = path.join(workshop.folder(), 'data');
    mkdirSync(path.join(dataDir, 'postgres.part/cluster'), { recursive: true });
    writeFileSync(path.join(dataDir, 'postgres.part/cluster/PG_VERSION'), '18\n');
    const server = await start({ dataDir, ...quiet });
    expect(await ask(server.url, 'SELECT 1')).toBe('1');
    expect(existsSync(path.join(dataDir, 'postgres.part'))).toBe(false);
  });

  test('a process number that another program has by now does not stop the start', async () => {
    const dataDir = await workshop.database();
    const first = await start({ dataDir, ...quiet });
    const pidFile = path.join(dataDir, 'postgres/postmaster.pid');
    const socketLock = path.join(dataDir, 'postgres/.s.PGSQL.5432.lock');
    const text = readFileSync(pidFile, 'utf8');
    const lock = readFileSync(socketLock, 'utf8');
    await first.stop();
    const other = spawn('sleep', ['600'], isRoot ? { uid: ORDINARY_ID, gid: ORDINARY_ID } : {});
    try {
      writeFileSync(pidFile, text.replace(/^\d+/, String(other.pid)));
      writeFileSync(socketLock, lock.replace(/^\d+/, String(other.pid)));
      for (const file of [pidFile, socketLock]) if (isRoot) chownSync(file, ORDINARY_ID, ORDINARY_ID);
      const server = await start({ dataDir, ...quiet });
      expect(await ask(server.url, 'SELECT 1')).toBe('1');
      expect(other.exitCode).toBeNull();
    } finally {
      other.kill();
    }
  });
});
