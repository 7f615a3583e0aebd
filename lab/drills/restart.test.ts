import { expect, test } from 'vitest';
import { DRILL_LIMIT_MS, runShort } from './run-short.ts';

test('a rolling restart under load fails no request', { timeout: DRILL_LIMIT_MS }, async () => {
  const { printed, code } = await runShort('restart');
  expect(printed).toMatch(/^RESTART PASSED: .*, 0 failed, .*\n$/m);
  expect(code).toBe(0);
});
