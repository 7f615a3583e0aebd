import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '#server/platform/config.ts';
import { connect } from '#server/platform/postgres/db.ts';
import { markShop } from '#server/platform/postgres/shop-mark.ts';
import { openShop } from '#server/shop.ts';
import { advanceClock } from './clock.ts';
import { createTestDatabase } from './database.ts';

const root = path.join(import.meta.dirname, '..');

/** Runs the shop's entry with nothing but `env` and answers how it ended. */
const start = async (env: Record<string, string>): Promise<{ code: number; printed: string }> => {
  const child = spawn(process.execPath, [path.join(root, 'src/server/main.ts')], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)));
  const [code] = await once(child, 'close');
  return { code, printed };
};

const production = (databaseUrl: string): Record<string, string> => ({
  DOGEAR_MODE: 'production',
  PUBLIC_URL: 'https://books.example',
  DATABASE_URL: databaseUrl,
  SMTP_URL: 'smtp://localhost',
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
});

test('production lists everything it misses and does not start', async () => {
  const { code, printed } = await start({ DOGEAR_MODE: 'production' });
  expect(code).toBe(1);
  for (const name of ['PUBLIC_URL', 'DATABASE_URL', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'SMTP_URL']) {
    expect(printed).toContain(`${name} is missing`);
  }
  expect(printed).not.toMatch(/^\s+at /m);
});

test('production refuses a database that belongs to a demo shop', async () => {
  const database = await createTestDatabase();
  const { db, close } = connect(database.url);
  await markShop(db, true);
  await close();
  const { code, printed } = await start(production(database.url));
  await database.drop();
  expect(code).toBe(1);
  expect(printed).toContain('belongs to a demo shop');
});

test('production refuses a database whose clock was moved', async () => {
  const database = await createTestDatabase();
  const { db, close } = connect(database.url);
  await advanceClock({ db }, 24);
  await db.updateTable('shop').set({ demo: false }).execute();
  await close();
  const { code, printed } = await start(production(database.url));
  await database.drop();
  expect(code).toBe(1);
  expect(printed).toContain('clock was moved forward');
});

test('production opens without any account: the demo shop is for demos alone, the first admin comes from npm run admin', async () => {
  const database = await createTestDatabase();
  const shop = await openShop(readConfig({ ...production(database.url), LOG_LEVEL: 'silent' }), () => {});
  await shop.close();
  const { db, close } = connect(database.url);
  const users = await db.selectFrom('users').select('email').execute();
  const listings = await db.selectFrom('listings').select('id').execute();
  await close();
  await database.drop();
  expect([users, listings]).toEqual([[], []]);
});

test('a database that cannot be reached is told in a sentence', async () => {
  const { code, printed } = await start({ DATABASE_URL: 'postgres://127.0.0.1:1/none' });
  expect(code).toBe(1);
  expect(printed).toContain('The database of DATABASE_URL cannot be used');
  expect(printed).not.toMatch(/^\s+at /m);
});
