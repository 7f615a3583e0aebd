import type { Db, Trx } from '#server/platform/postgres/db.ts';

export interface NewAuditEntry {
  readonly actorId: string | null;
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

export interface AuditEntryRow {
  readonly id: string;
  readonly at: Date;
  readonly actorId: string | null;
  readonly action: string;
  readonly subjectKind: string;
  readonly subjectId: string;
  readonly details: unknown;
}

/** Entries whose actor or subject a user is, in their order, after the one with the id `after`. */
export const listAuditEntriesAbout = (db: Db, userId: string, after: string, limit: number): Promise<AuditEntryRow[]> =>
  db
    .selectFrom('audit_entries')
    .select([
      'id',
      'at',
      'actor_id as actorId',
      'action',
      'subject_kind as subjectKind',
      'subject_id as subjectId',
      'details',
    ])
    .where((where) =>
      where.or([
        where('actor_id', '=', userId),
        where.and([where('subject_kind', '=', 'user'), where('subject_id', '=', userId)]),
      ]),
    )
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
