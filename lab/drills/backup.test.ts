import { expect, inject, test } from 'vitest';
import { hasClientFor } from '#test/databases/postgres-client.ts';
import { DRILL_LIMIT_MS, runShort } from './run-short.ts';

test('a backup taken while people buy is the shop of one moment', { timeout: DRILL_LIMIT_MS }, async ({ skip }) => {
  const server = process.env['BACKUP_DATABASE_URL'] ?? inject('databaseServerUrl');
  if (!(await hasClientFor(server))) return skip('pg_dump is missing here, or older than the server of the tests');
  const { printed, code } = await runShort('backup', { PROVE_DATABASE_URL: server });
  expect(printed).toMatch(/^BACKUP PASSED: .*, 0 lost, 0 promises broken\.\n$/m);
  expect(code).toBe(0);
});
