import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const FOLDER = path.join(root, 'db/migrations');
/** The baseline makes a new shop; what comes after it meets shops that are in use, and only adds. */
const BASELINE = [
  '0001-identity.sql',
  '0002-catalog.sql',
  '0003-bookings.sql',
  '0004-audit.sql',
  '0005-payments.sql',
  '0006-ledger.sql',
  '0007-mail.sql',
  '0008-shop.sql',
];
/**
 * What the runner does for all (src/server/platform/postgres/migrate.ts): a lock timeout and one transaction a file;
 * and what is a matter of taste: counters that stay small are integers. A limit for statements would end long indexes
 * and backfills.
 */
const NOT_ASKED = [
  'require-lock-timeout',
  'require-statement-timeout',
  'prefer-robust-stmts',
  'prefer-bigint-over-int',
];

const sqlIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();

const files = sqlIn(FOLDER)
  .slice(BASELINE.length)
  .map((name) => path.join(FOLDER, name));
const isConcurrent = (file: string): boolean => readFileSync(file, 'utf8').startsWith('-- concurrent');

/** What squawk has against them, by rule. */
const squawk = (looked: readonly string[], ...more: string[]): string[] => {
  if (looked.length === 0) return [];
  const excluded = NOT_ASKED.map((rule) => `--exclude=${rule}`);
  const { stdout, status } = spawnSync(
    process.execPath,
    [
      path.join(root, 'node_modules/.bin/squawk'),
      '--pg-version=15.0',
      '--reporter=Json',
      ...excluded,
      ...more,
      ...looked,
    ],
    { encoding: 'utf8' },
  );
  const found = (JSON.parse(stdout) as { rule_name: string; file: string }[]).map(
    ({ rule_name: rule, file }) => `${path.basename(file)}: ${rule}`,
  );
  expect(status).toBe(found.length === 0 ? 0 : 1);
  return found;
};

test('the baseline stays as it is: whoever made a shop with it has it', () => {
  expect(sqlIn(FOLDER).slice(0, BASELINE.length)).toEqual(BASELINE);
});

test('no later migration keeps the shop waiting, or takes away what the release before asks for', () => {
  expect(
    squawk(
      files.filter((file) => !isConcurrent(file)),
      '--assume-in-transaction',
    ),
  ).toEqual([]);
  expect(squawk(files.filter(isConcurrent))).toEqual([]);
});

test('what is made concurrently can be made again when it was broken off', () => {
  for (const file of files.filter(isConcurrent)) {
    const statements = readFileSync(file, 'utf8').replace(/^--.*$/gm, '');
    // Functions would hold semicolons, by which the runner cuts.
    expect(statements, file).not.toContain('$$');
    for (const [, name] of statements.matchAll(/CREATE INDEX CONCURRENTLY (\w+)/g)) {
      expect(statements, file).toContain(`DROP INDEX CONCURRENTLY IF EXISTS ${name};\nCREATE INDEX`);
    }
  }
});

test('squawk would find a lock that is held for long, and what is taken away', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'dogear-squawk-'));
  const file = path.join(folder, 'slow.sql');
  writeFileSync(
    file,
    'CREATE INDEX a ON listings (title);\nALTER TABLE listings ALTER COLUMN title TYPE varchar(9);\n' +
      'ALTER TABLE listings DROP COLUMN authors;\nDROP TABLE users;\n',
  );
  const found = squawk([file], '--assume-in-transaction');
  rmSync(folder, { recursive: true });
  expect(found).toEqual(
    expect.arrayContaining([
      'slow.sql: require-concurrent-index-creation',
      'slow.sql: changing-column-type',
      'slow.sql: ban-drop-column',
      'slow.sql: ban-drop-table',
    ]),
  );
});
