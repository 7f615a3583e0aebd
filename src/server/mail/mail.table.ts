import type { Generated } from 'kysely';

export interface OutboxTable {
  id: Generated<string>;
  key: string;
  kind: string;
  to_email: string;
  to_name: string;
  /** jsonb: handed to the database as its text */
  data: unknown;
  message_id: string | null;
  queued_at: Generated<Date>;
  attempts: Generated<number>;
  next_try_at: Generated<Date>;
  leased_until: Date | null;
  sent_at: Date | null;
  dead_at: Date | null;
  last_error: Generated<string>;
}
