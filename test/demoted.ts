import { sql } from 'kysely';
import type { TestApp } from './app.ts';
import { anAdmin, type TestUser } from './make.ts';

/**
 * Lets an admin act who is one when they ask, and is none any more once it is their turn; answers what they were told.
 */
export const whileDemoted = async <Answer>(t: TestApp, act: (admin: TestUser) => Promise<Answer>): Promise<Answer> => {
  const admin = await anAdmin(t);
  const waits = async (): Promise<void> => {
    for (;;) {
      const { rows } = await sql`
        SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(t.db);
      if (rows.length > 0) return;
    }
  };
  let answer: Promise<Answer> | undefined;
  await t.db.transaction().execute(async (trx) => {
    await trx.updateTable('users').set({ is_admin: false }).where('id', '=', admin.id).execute();
    answer = act(admin);
    // Who does not look at the row again is done before the role is gone.
    await Promise.race([answer, waits()]);
  });
  return answer as Promise<Answer>;
};
