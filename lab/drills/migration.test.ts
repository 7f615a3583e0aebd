import { expect, test } from 'vitest';
import { DRILL_LIMIT_MS, runShort } from './run-short.ts';

test('the release before serves while its tables become those of the next', { timeout: DRILL_LIMIT_MS }, async () => {
  const { printed, code } = await runShort('migration');
  expect(printed).toMatch(/^MIGRATION PASSED: 50000 listings .*, 0 failed\.\n$/m);
  expect(code).toBe(0);
});
