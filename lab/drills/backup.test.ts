import { expect, test } from 'vitest';
import { DRILL_LIMIT_MS, runShort } from './run-short.ts';

test('a backup taken while people buy is the shop of one moment', { timeout: DRILL_LIMIT_MS }, async () => {
  const { printed, code } = await runShort('backup');
  expect(printed).toMatch(/^BACKUP PASSED: .*, 0 lost, 0 promises broken\.\n$/m);
  expect(code).toBe(0);
});
