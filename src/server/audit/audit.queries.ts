import type { Trx } from '#server/platform/db.ts';

export interface NewAuditEntry {
  readonly actorId: string;
  readonly action: string;
  readonly subjectKind: string;
  readonly subjectId: string;
  readonly details: string;
}

export const insertAuditEntry = async (trx: Trx, entry: NewAuditEntry): Promise<void> => {
  await trx
    .insertInto('audit_entries')
    .values({
      actor_id: entry.actorId,
      action: entry.action,
      subject_kind: entry.subjectKind,
      subject_id: entry.subjectId,
      details: entry.details,
    })
    .execute();
};
