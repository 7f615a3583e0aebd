import type { ReportedKind } from '#contract/admin/reports.ts';

/** Where something is reported. */
export const reportPath = (kind: ReportedKind, id: string): string =>
  `/report?kind=${kind}&id=${encodeURIComponent(id)}`;
