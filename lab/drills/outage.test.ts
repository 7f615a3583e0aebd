import { expect, test } from 'vitest';
import { DRILL_LIMIT_MS, runShort } from './run-short.ts';

test(
  'people browse on while outside services are away, are told where they cannot go on, and all is caught up',
  { timeout: DRILL_LIMIT_MS },
  async () => {
    const { printed, code } = await runShort('outage');
    expect(printed).toMatch(
      /^OUTAGE PASSED: Stripe cut, SMTP cut, sign-in hanging, .* all caught up within \d+ s\.\n$/m,
    );
    expect(code).toBe(0);
  },
);
