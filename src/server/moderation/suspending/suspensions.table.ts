import type { Generated } from 'kysely';

/** Times by the shop's clock; `until` is null where an admin has to lift it. */
export interface SuspensionsTable {
  id: Generated<string>;
  user_id: string;
  reason: string;
  until: Date | null;
  begun_at: Generated<Date>;
  ended_at: Date | null;
}
