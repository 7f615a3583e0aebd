import type { Generated } from 'kysely';
import type { ReportAction, ReportedKind, ReportReason } from '#contract/admin/reports.ts';

/** All that is reported of one thing until it is decided. */
export interface ReportCasesTable {
  id: Generated<string>;
  kind: ReportedKind;
  subject_id: string;
  /** Whose it is. */
  user_id: string;
  title: string;
  /** The thing as it was when it was first reported. */
  evidence: string;
  opened_at: Generated<Date>;
  decided_at: Date | null;
  decision: ReportAction | null;
  decided_by: string | null;
  reason: Generated<string>;
  appeal: Generated<string>;
  appealed_at: Date | null;
  appeal_decided_at: Date | null;
  appeal_upheld: boolean | null;
}

export interface ReportsTable {
  id: Generated<string>;
  case_id: string;
  /** Null for visitors, and once they have left. */
  reporter_id: string | null;
  reason: ReportReason;
  words: Generated<string>;
  at: Generated<Date>;
}
