import { expect } from 'vitest';
import type { Db } from '#server/platform/postgres/db.ts';
import { checkInvariants } from '#server/payments/reconciliation/invariants.service.ts';

/** Fails with the invariants of money that a test broke, each with how often. */
export const expectInvariants = async (db: Db): Promise<void> => {
  expect((await checkInvariants(db)).filter(({ violations }) => violations > 0)).toEqual([]);
};
