import type { Audited } from '#contract/admin/audit.ts';
import { reasonProblems } from '#contract/admin/reason.ts';
import { oneLine } from '#contract/text.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { badFields } from '#server/platform/errors.ts';
import { insertAuditEntry, listAuditEntriesAbout, type AuditEntryRow } from './audit.queries.ts';

/** Something that was done to somebody or something, by whom. */
export interface Deed {
  /** The user who did it; null for whoever runs the shop, at the command line. */
  readonly actorId: string | null;
  /** What was done, in the past tense. */
  readonly action: Audited;
  readonly subject: { readonly kind: string; readonly id: string };
  /** What else must be known later; never a password, token or card. */
  readonly details?: Readonly<Record<string, string | number | boolean | null>>;
}

/**
 * Writes a deed down for good, in the transaction that does it: both last or neither. The table takes no change and no
 * deletion.
 */
export const recordAudit = (trx: Trx, deed: Deed): Promise<void> =>
  insertAuditEntry(trx, {
    actorId: deed.actorId,
    action: deed.action,
    subjectKind: deed.subject.kind,
    subjectId: deed.subject.id,
    details: JSON.stringify(deed.details ?? {}),
  });

/** A reason as it is told and kept, in one line; 400 where there is none. */
export const reasonOf = (text: string): string => {
  const reason = oneLine(text);
  const problems = reasonProblems({ reason });
  if (Object.keys(problems).length > 0) throw badFields(problems);
  return reason;
};

/** What a user did and what was done to them, the oldest first, after entry `after`; for the user themselves. */
export const auditEntriesAbout = (db: Db, userId: string, after: string, limit: number): Promise<AuditEntryRow[]> =>
  listAuditEntriesAbout(db, userId, after, limit);
