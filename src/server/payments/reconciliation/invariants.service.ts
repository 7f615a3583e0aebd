import type { Invariant } from '#contract/money/money-admin.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { allowSeconds, countBroken, PLEDGES } from './invariants.queries.ts';

/** A shop with a million bookings is looked through in less. */
const LOOKING_SECONDS = 10;

/**
 * Looks in how many places each invariant of money and copies is broken; all zero in a sound shop, at any moment,
 * because every one of them holds at each commit. In one snapshot, so that what happens meanwhile is not taken for a
 * defect.
 */
export const checkInvariants = (db: Db): Promise<Invariant[]> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      await allowSeconds(trx, LOOKING_SECONDS);
      const checked: Invariant[] = [];
      for (const pledge of PLEDGES) {
        checked.push({ id: pledge.id, says: pledge.says, violations: await countBroken(trx, pledge) });
      }
      return checked;
    });
