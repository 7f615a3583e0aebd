import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { registerUser } from '#server/identity/sessions/identity.service.ts';
import { connect, type Connection } from '#server/platform/postgres/db.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';

const DIRTY = path.join(import.meta.dirname, '../db/seed/dirty-books.csv');

const PRODUCTION = {
  DOGEAR_MODE: 'production',
  PUBLIC_URL: 'https://books.example',
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  SMTP_URL: 'smtp://mail.example',
};

let database: TestDatabase;
let connection: Connection;
let folder: string;
beforeEach(async () => {
  database = await createTestDatabase();
  connection = connect(database.url);
  folder = await mkdtemp(path.join(tmpdir(), 'dogear-command-'));
  await registerUser(connection.db, { email: 'sam@example.com', name: 'Sam', roles: ['seller'] });
  await connection.db.insertInto('categories').values({ id: 'novels', name: 'Novels', created_by: null }).execute();
});
afterEach(async () => {
  await connection.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a command as npm does: in the project's folder, with the person's own in INIT_CWD. */
const start = (script: string, args: readonly string[], env: Record<string, string> = {}) => {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, script), ...args], {
    env: { ...process.env, NODE_ENV: 'production', DATABASE_URL: database.url, INIT_CWD: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
  const ended = once(child, 'close').then(([code]) => ({ code: Number(code), output }));
  return { child, ended };
};
const run = (script: string, args: readonly string[], env?: Record<string, string>) => start(script, args, env).ended;

const FOR_SAM = ['--seller', 'sam@example.com', '--category', 'novels'] as const;
const FOR_ALL = [...FOR_SAM, '--price', '7.25', '--condition', 'good', '--location', 'Leeds'] as const;

const countListings = async (): Promise<number> =>
  (await connection.db.selectFrom('listings').select('id').execute()).length;

describe('npm run import', () => {
  it('lists a catalogue, reports in plain lines, and puts refused rows beside where it was called', async () => {
    const { code, output } = await run('import.ts', [DIRTY, ...FOR_ALL]);
    expect([code, output]).toEqual([0, expect.stringContaining('44  copies listed')]);
    expect(output).not.toContain('made up');
    expect(output).not.toContain('\r');
    expect(existsSync(path.join(folder, 'dirty-books.csv.refused.csv'))).toBe(true);
    expect(await countListings()).toBe(44);
    const prices = await connection.db.selectFrom('listings').select('resale_cents').distinct().execute();
    expect(prices).toEqual([{ resale_cents: 725 }]);
  });

  it('makes nothing up unless told to in a demo shop', async () => {
    const asked = await run('import.ts', [DIRTY, ...FOR_SAM]);
    expect([asked.code, asked.output]).toEqual([
      1,
      expect.stringContaining('say --condition, --price, --location for all'),
    ]);
    const production = await run('import.ts', [DIRTY, ...FOR_SAM, '--demo'], PRODUCTION);
    expect([production.code, production.output]).toEqual([1, expect.stringContaining('this one is in production')]);
    await connection.db.insertInto('shop').values({ demo: false, seeded_at: null }).execute();
    const real = await run('import.ts', [DIRTY, ...FOR_SAM, '--demo']);
    expect([real.code, real.output]).toEqual([1, expect.stringContaining('this database is not one')]);
    expect(await countListings()).toBe(0);
    await connection.db.updateTable('shop').set({ demo: true }).execute();
    const demo = await run('import.ts', [DIRTY, ...FOR_SAM, '--demo']);
    expect([demo.code, demo.output]).toEqual([0, expect.stringMatching(/made up[^]*45 {2}prices/)]);
    expect(await countListings()).toBe(45);
  });

  it('ends with one sentence and exit code 1 when it cannot be, and writes nothing', async () => {
    const wrong: [string[], string][] = [
      [['nowhere.csv', '--seller', 'sam@example.com'], `There is no file ${path.join(folder, 'nowhere.csv')}`],
      [[DIRTY, ...FOR_ALL, '--seller', 'nobody@example.com'], 'Nobody has the address nobody@example.com'],
      [[DIRTY], 'Say for whom to list'],
      [[], 'Name one file'],
      [[DIRTY, '--seller', 'sam@example.com', '--price', '-3'], '--price'],
      [[DIRTY, '--seller', 'sam@example.com', '--price=0.1'], '--price is "0.1"'],
      [[DIRTY, '--seller', 'sam@example.com', '--condition', 'Mint'], 'Excellent, Good, Fair'],
      [[DIRTY, '--seller', 'sam@example.com', '--colour', 'red'], '--colour'],
    ];
    for (const [args, sentence] of wrong) {
      const { code, output } = await run('import.ts', args);
      expect([code, output]).toEqual([1, expect.stringContaining(sentence)]);
      expect(output).not.toMatch(/\n\s+at /);
    }
    const away = await run('import.ts', [DIRTY, '--seller', 'sam@example.com'], {
      DATABASE_URL: 'postgres://127.0.0.1:1/x',
    });
    expect([away.code, away.output]).toEqual([1, expect.stringContaining('The database cannot be used')]);
    expect(await countListings()).toBe(0);
  });

  it('keeps whole batches when Ctrl-C comes, and the same command lists the rest', async () => {
    const rows = Array.from({ length: 20_000 }, (_, n) => `,,Anon,1999.0,Book ${n}\n`).join('');
    await writeFile(path.join(folder, 'many.csv'), `isbn,isbn13,authors,original_publication_year,title\n${rows}`);
    const args = ['many.csv', ...FOR_ALL];
    const { child, ended } = start('import.ts', args);
    child.stdout.on('data', (text: Buffer) => {
      if (text.toString().includes('rows written')) child.kill('SIGINT');
    });
    const first = await ended;
    expect([first.code, first.output]).toEqual([130, expect.stringContaining('Interrupted')]);
    const kept = await countListings();
    expect(kept).toBeLessThan(20_000);
    expect(kept % 500).toBe(0);
    expect(first.output).toContain(`${kept.toLocaleString('en-US')}  rows written`);
    expect((await run('import.ts', args)).code).toBe(0);
    expect(await countListings()).toBe(20_000);
  });
});

describe('npm run seed', () => {
  it('puts the demo shop in where it is missing, and fills it up to the number asked for', async () => {
    const { code, output } = await run('seed.ts', ['--books', '1500']);
    expect([code, output]).toEqual([0, expect.stringMatching(/1,500 listings added in [\d.]+ s; 0 were there\./)]);
    expect((await run('seed.ts', ['--books', '1500'])).output).toContain('0 listings added');
  });

  it('is refused in production, for a shop that is no demo, and without a number', async () => {
    for (const args of [[], ['--books'], ['--books', '0'], ['--books', 'many'], ['--books', '1000001']]) {
      expect((await run('seed.ts', args)).code).toBe(1);
    }
    const production = await run('seed.ts', ['--books', '10'], PRODUCTION);
    expect([production.code, production.output]).toEqual([1, expect.stringContaining('production')]);
    await connection.db.insertInto('shop').values({ demo: false, seeded_at: null }).execute();
    const { code, output } = await run('seed.ts', ['--books', '10']);
    expect([code, output]).toEqual([1, expect.stringContaining('not one')]);
    expect(await countListings()).toBe(0);
  });
});

describe('npm run editions', () => {
  const excerpt = (name: string): string =>
    path.join(import.meta.dirname, `../src/server/catalog/editions/dump/excerpt-${name}.txt`);
  const FILES = [excerpt('editions'), excerpt('works'), excerpt('authors')] as const;

  it('fills the table of editions as the owner of the tables, and tells how far it is', async () => {
    const { code, output } = await run('editions.ts', FILES);
    expect([code, output]).toEqual([0, expect.stringContaining('6 ISBNs are new')]);
    expect(output).toContain('1 of 1 MB of works\n');
    expect(await connection.db.selectFrom('editions').select('isbn13').execute()).toHaveLength(6);
  });

  it('says in a sentence what it needs', async () => {
    const { code, output } = await run('editions.ts', FILES.slice(0, 2));
    expect([code, output]).toEqual([1, expect.stringContaining('Name three files')]);
    const twisted = await run('editions.ts', [FILES[1], FILES[0], FILES[2]]);
    expect([twisted.code, twisted.output]).toEqual([1, expect.stringContaining('holds no editions')]);
    expect(twisted.output).not.toContain('    at ');
  });
});
