import { expect, test } from 'vitest';
import { DRILL_LIMIT_MS, runShort } from './run-short.ts';

test('who is too many is turned away, and nothing else goes wrong', { timeout: DRILL_LIMIT_MS }, async () => {
  const { printed, code } = await runShort('overload');
  expect(printed).toMatch(/^OVERLOAD PASSED: .*, 0 failed\.\n$/m);
  expect(code).toBe(0);
});
