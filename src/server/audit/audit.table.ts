import type { Generated } from 'kysely';

export interface AuditEntriesTable {
  id: Generated<string>;
  at: Generated<Date>;
  actor_id: string | null;
  action: string;
  subject_kind: string;
  subject_id: string;
  /** jsonb: handed to the database as its text */
  details: unknown;
}
