import { sql } from 'kysely';
import { reportThing } from '#server/moderation/reports/reports.service.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { ANONYMOUS, type SignedIn } from '#server/platform/viewer.ts';
import { findShelfCopy } from '#db/seed/orders/demo-orders.queries.ts';

/** Puts what readers reported into a new demo shop: one that waits, one that has waited too long. */
export const seedDemoReports = async (
  db: Db,
  { buyer, seller }: { buyer: SignedIn; seller: SignedIn },
): Promise<void> => {
  const copy = await findShelfCopy(db, { seller: seller.email, title: 'A Pattern Language' });
  const about = { kind: 'copy', id: copy.id } as const;
  const words = 'The second picture shows another printing than the text names.';
  await reportThing(db, buyer, { ...about, reason: 'picture', words });
  await reportThing(db, ANONYMOUS, { ...about, reason: 'untrue', words: '' });
  const late = await findShelfCopy(db, { seller: seller.email, title: 'Silent Spring' });
  await reportThing(db, ANONYMOUS, {
    kind: 'copy',
    id: late.id,
    reason: 'other',
    words: 'This looks like the copy that was stolen from our school library.',
  });
  await sql`UPDATE report_cases SET opened_at = shop_now() - interval '3 days' WHERE subject_id = ${late.id}`.execute(
    db,
  );
};
