import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { ask, askUntilAnswered, makeWorkshop, serversOf } from '#test/databases/database-owner.ts';
import { shareEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';

const workshop = makeWorkshop();
const quiet = { log: () => {} };

afterEach(workshop.tidy);
afterAll(workshop.close);

const root = path.join(import.meta.dirname, '../../../..');
const door = path.join(import.meta.dirname, 'embedded-postgres.ts');

const serverPid = (folder: string): number => serversOf(folder)[0]?.pid ?? 0;

describe('starting and stopping', () => {
  test('the first start makes a durable PostgreSQL 18 in UTF-8 that only a socket reaches', async () => {
    const dataDir = path.join(workshop.folder(), 'data');
    const server = await startEmbeddedPostgres({ dataDir, ...quiet });
    expect(await ask(server.url, 'SHOW server_version')).toMatch(/^18\./);
    expect(await ask(server.url, 'SHOW fsync')).toBe('on');
    expect(await ask(server.url, 'SHOW synchronous_commit')).toBe('on');
    expect(await ask(server.url, 'SHOW server_encoding')).toBe('UTF8');
    expect(await ask(server.url, 'SELECT datlocale FROM pg_database WHERE datname = current_database()')).toBe(
      'C.UTF-8',
    );
    expect(await ask(server.url, 'SHOW listen_addresses')).toBe('');
    expect(await ask(server.url, 'SELECT current_database()')).toBe('dogear');
    expect(await ask(server.url, 'SHOW data_directory')).toBe(path.join(dataDir, 'postgres'));
    await server.stop();
    expect(serversOf(dataDir)).toEqual([]);
  });

  test('what was written is there after stopping and starting', async () => {
    const dataDir = await workshop.database();
    const first = await startEmbeddedPostgres({ dataDir, ...quiet });
    await ask(first.url, "CREATE TABLE kept AS SELECT 'Middlemarch' AS title");
    await first.stop();
    const second = await startEmbeddedPostgres({ dataDir, ...quiet });
    expect(await ask(second.url, 'SELECT title FROM kept')).toBe('Middlemarch');
    expect(second.url).toBe(first.url);
    await second.stop();
  });

  test('libraries that the environment points to do not get into it', async () => {
    const dataDir = await workshop.database();
    const bad = workshop.folder();
    writeFileSync(path.join(bad, 'libxml2.so.2'), 'no library');
    const nodeArgs = ['--import', `data:text/javascript,process.env.LD_LIBRARY_PATH=${JSON.stringify(bad)}`];
    const owner = workshop.owner(dataDir, { nodeArgs });
    expect(await ask(await owner.url, 'SELECT 1')).toBe('1');
  });

  test('Ctrl-C stops the server in good order and leaves nothing running', async () => {
    const dataDir = await workshop.database();
    const owner = workshop.owner(dataDir);
    await owner.url;
    owner.kill('SIGINT');
    expect(await owner.exited).toEqual({ code: 0, signal: null });
    expect(serversOf(dataDir)).toEqual([]);
    expect(readFileSync(path.join(dataDir, 'postgres.log'), 'utf8')).toMatch(/database system is shut down/);
    const again = await startEmbeddedPostgres({ dataDir, ...quiet });
    await again.stop();
    const log = readFileSync(path.join(dataDir, 'postgres.log'), 'utf8');
    expect(log).toMatch(/ready to accept connections/);
    expect(log).not.toMatch(/not properly shut down/);
  });

  test('what is under way at Ctrl-C can still use the database', async () => {
    const dataDir = await workshop.database();
    const script = path.join(workshop.folder(), 'busy.ts');
    writeFileSync(
      script,
      `import { startEmbeddedPostgres } from '${door}';
      import { ask } from '${path.join(root, 'test/databases/database-owner.ts')}';
      const server = await startEmbeddedPostgres({ dataDir: '${dataDir}', log() {} });
      process.on('SIGINT', async () => {
        await ask(server.url, "SELECT 'the last order' FROM pg_sleep(0.2)").then(console.log, console.log);
        await server.stop();
        process.exit();
      });
      console.log("DATABASE_MIGRATE_URL='" + server.url + "'");
      setInterval(() => {}, 1e6);`,
    );
    const owner = workshop.owner(dataDir, { script });
    await owner.url;
    owner.kill('SIGINT');
    await owner.exited;
    expect(owner.output()).toContain('the last order');
  });

  test('Ctrl-C while it starts leaves nothing running', async () => {
    const dataDir = path.join(workshop.folder(), 'data');
    const owner = workshop.owner(dataDir);
    await expect.poll(() => owner.output()).toMatch(/new database was made/);
    owner.kill('SIGINT');
    await owner.exited;
    expect(serversOf(dataDir)).toEqual([]);
  });

  test('a process that ends without stopping its server takes it along', async () => {
    const folder = workshop.folder();
    const dataDir = path.join(folder, 'data');
    const script = path.join(folder, 'careless.ts');
    const start = `startEmbeddedPostgres({ dataDir: '${dataDir}', log() {} })`;
    writeFileSync(script, `import { startEmbeddedPostgres } from '${door}';\nawait ${start};\nprocess.exit(3);\n`);
    const owner = workshop.owner(dataDir, { script });
    expect((await owner.exited).code).toBe(3);
    await expect.poll(() => serversOf(dataDir)).toEqual([]);
  });
});

describe('kill -9', () => {
  test('of the owner: the next start ends the server it left, and there is only one', async () => {
    const dataDir = await workshop.database();
    const killed = workshop.owner(dataDir);
    await ask(await killed.url, "CREATE TABLE kept AS SELECT 'Emma' AS title");
    killed.kill('SIGKILL');
    await killed.exited;
    const orphan = serverPid(dataDir);
    expect(orphan).toBeGreaterThan(0);
    const server = await startEmbeddedPostgres({ dataDir, ...quiet });
    const servers = serversOf(dataDir).map(({ pid }) => pid);
    expect(servers).toHaveLength(1);
    expect(servers).not.toContain(orphan);
    expect(await ask(server.url, 'SELECT title FROM kept')).toBe('Emma');
    await server.stop();
    expect(serversOf(dataDir)).toEqual([]);
  });

  test('of PostgreSQL: it is started again, with everything that was committed', async () => {
    const dataDir = await workshop.database();
    const told: string[] = [];
    const server = await startEmbeddedPostgres({ dataDir, log: (line) => told.push(line) });
    await ask(server.url, "CREATE TABLE kept AS SELECT 'Persuasion' AS title");
    process.kill(serverPid(dataDir), 'SIGKILL');
    await expect
      .poll(() => told.slice(-2))
      .toEqual([
        'PostgreSQL ended unexpectedly (SIGKILL) and is being started again.',
        'PostgreSQL takes connections again.',
      ]);
    expect(await ask(server.url, 'SELECT title FROM kept')).toBe('Persuasion');
    await server.stop();
    expect(serversOf(dataDir)).toEqual([]);
  });

  test('of one connection of PostgreSQL: the others go on after a moment', async () => {
    const dataDir = await workshop.database();
    const server = await startEmbeddedPostgres({ dataDir, ...quiet });
    await ask(server.url, 'CREATE TABLE kept AS SELECT 1 AS one');
    const pid = Number(await ask(server.url, "SELECT pid FROM pg_stat_activity WHERE backend_type = 'walwriter'"));
    process.kill(pid, 'SIGKILL');
    expect(await askUntilAnswered(server.url, 'SELECT one FROM kept')).toBe('1');
    await server.stop();
  });

  test('of the owner and PostgreSQL at once: the next start recovers', async () => {
    const dataDir = await workshop.database();
    const killed = workshop.owner(dataDir);
    await ask(await killed.url, "CREATE TABLE kept AS SELECT 'Villette' AS title");
    killed.kill('SIGKILL');
    process.kill(serverPid(dataDir), 'SIGKILL');
    const server = await startEmbeddedPostgres({ dataDir, ...quiet });
    expect(await ask(server.url, 'SELECT title FROM kept')).toBe('Villette');
    await server.stop();
  });
});

describe('two owners of one data folder', () => {
  test('the second is told who the first is, and stops; the first goes on', async () => {
    const dataDir = await workshop.database();
    const first = workshop.owner(dataDir);
    const url = await first.url;
    const second = workshop.owner(dataDir);
    expect((await second.exited).code).toBe(1);
    expect(second.output()).toContain(`is in use by another Dogear (process ${first.pid})`);
    expect(second.output().trim().split('\n')).toHaveLength(1);
    expect(await ask(url, 'SELECT 1')).toBe('1');
    expect(serversOf(dataDir)).toHaveLength(1);
  });

  test('of several that start at the same instant exactly one wins', async () => {
    const dataDir = path.join(workshop.folder(), 'data');
    const owners = [1, 2, 3].map(() => workshop.owner(dataDir));
    const starts = await Promise.allSettled(owners.map(({ url }) => url));
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(serversOf(dataDir)).toHaveLength(1);
  });

  test('a tool beside the owner uses its server, and owns one itself when nobody does', async () => {
    const dataDir = await workshop.database();
    const owner = workshop.owner(dataDir);
    await owner.url;
    const beside = await shareEmbeddedPostgres({ dataDir, ...quiet });
    expect(beside).toMatchObject({ owned: false, url: await owner.url });
    await beside.stop();
    expect(await ask(await owner.url, 'SELECT 1')).toBe('1');
    owner.kill('SIGINT');
    await owner.exited;
    const alone = await shareEmbeddedPostgres({ dataDir, ...quiet });
    expect(alone.owned).toBe(true);
    expect(await ask(alone.url, 'SELECT 1')).toBe('1');
    await alone.stop();
    expect(serversOf(dataDir)).toEqual([]);
  });
});
