import type { AuditEntry, downloadAudit, listAudit } from '#contract/admin/audit.ts';
import type { Input } from '#contract/endpoint.ts';
import { csvFile, textCell } from '#server/platform/files/csv.ts';
import { limitOf, numberCursorOf, numberPositionOf } from '#server/platform/cursor.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { badFields } from '#server/platform/errors.ts';
import { requireAdmin, type Viewer } from '#server/platform/viewer.ts';
import { sentenceOf } from './audit-words.ts';
import { listDeeds, type DeedFilter, type DeedRow } from './audit-trail.queries.ts';

/** More is no file for a spreadsheet, and no work for one request. */
const MOST_LINES = 100_000;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A subject that has gone is called what it was called when it was written down. */
const nameOf = ({ subjectName, subjectId, details }: DeedRow): string =>
  subjectName ?? textOf(details['title'] ?? details['name'] ?? details['from'] ?? subjectId);

const shown = (row: DeedRow): AuditEntry => ({
  _id: row.id,
  at: row.at.toISOString(),
  who: row.actorName === null || row.actorEmail === null ? null : { name: row.actorName, email: row.actorEmail },
  action: row.action,
  about: nameOf(row),
  says: sentenceOf({ action: row.action, about: nameOf(row), buyer: row.buyerName, details: row.details }),
  reason: textOf(row.details['reason'] ?? ''),
  subjectKind: row.subjectKind,
  subjectId: row.subjectId,
  details: Object.entries(row.details).map(([name, value]) => ({ name, value: textOf(value) })),
});

/** Whether there is such a day: Date takes 31 February for 3 March, PostgreSQL refuses it. */
const isDay = (day: string): boolean => {
  const time = Date.parse(`${day}T00:00:00Z`);
  return day >= '0001' && !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
};

const dayOf = (field: 'from' | 'to', day: string | undefined): string | undefined => {
  if (day === undefined || day === '') return undefined;
  if (!isDay(day)) throw badFields({ [field]: 'There is no such day' });
  return day;
};

const filterOf = (query: Input<typeof downloadAudit>['query']): DeedFilter => ({
  search: (query.q ?? '').trim(),
  action: query.action === '' ? undefined : query.action,
  from: dayOf('from', query.from),
  to: dayOf('to', query.to),
});

/** What was done by whom, the newest first, for admins. */
export const readAuditTrail = async (
  db: Db,
  viewer: Viewer,
  query: Input<typeof listAudit>['query'],
): Promise<{ rows: AuditEntry[]; next?: string }> => {
  requireAdmin(viewer);
  const limit = limitOf(query.limit);
  const found = await listDeeds(db, filterOf(query), { before: numberPositionOf(query.cursor), limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    rows: page.map(shown),
    ...(found.length > limit && last !== undefined && { next: numberCursorOf(last.id) }),
  };
};

const HEADERS = ['Time (UTC)', 'Entry', 'Who', 'Address', 'Did', 'About', 'Kind', 'Id', 'Details'];

const cellsOf = ({ at, _id, who, action, about, subjectKind, subjectId, details }: AuditEntry): string[] => [
  textCell(at),
  _id,
  textCell(who?.name ?? 'The operator'),
  textCell(who?.email ?? ''),
  textCell(action),
  textCell(about),
  textCell(subjectKind),
  textCell(subjectId),
  textCell(details.map(({ name, value }) => `${name}: ${value}`).join('; ')),
];

/** The same as a CSV file; 400 when it would be longer than 100,000 lines. */
export const downloadAuditTrail = async (
  db: Db,
  viewer: Viewer,
  query: Input<typeof downloadAudit>['query'],
): Promise<string> => {
  requireAdmin(viewer);
  const found = await listDeeds(db, filterOf(query), { before: undefined, limit: MOST_LINES + 1 });
  if (found.length > MOST_LINES) throw badFields({ from: 'These are more than 100,000 entries: choose fewer days' });
  return csvFile(
    HEADERS,
    found.map((row) => cellsOf(shown(row))),
  );
};
