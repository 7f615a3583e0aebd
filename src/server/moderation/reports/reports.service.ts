import type {
  OwnDecision,
  ReportAction,
  ReportCase,
  ReportedKind,
  ReportReason,
  CaseState,
} from '#contract/admin/reports.ts';
import { oneLine } from '#contract/text.ts';
import { reasonOf, recordAudit } from '#server/audit/audit.service.ts';
import type { NoteTakenDown } from '#server/catalog/listings/managing.service.ts';
import { lockActingAdmin } from '#server/identity/users/acting-admin.service.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import { csvFile, textCell } from '#server/platform/files/csv.ts';
import { NamedFile } from '#server/platform/files/named-file.ts';
import { limitOf, pageOf, positionOf } from '#server/platform/cursor.ts';
import { AppError, badFields, notFound } from '#server/platform/errors.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import type { ModerationDeps } from '#server/moderation/moderation.service.ts';
import { requireAdmin, requireSignedIn, type Viewer } from '#server/platform/viewer.ts';
import { afterDeed, doDeed, undoDeed } from './deeds.service.ts';
import { appealRefusal, decisionRefusal, undoRefusal } from './reports.policy.ts';
import {
  endAppeal,
  findHeld,
  findReported,
  insertReport,
  listCases,
  listDecidedIn,
  listDecisionsAbout,
  listReporters,
  lockCase,
  openCase,
  reopenCase,
  writeAppeal,
  writeDecision,
  type CaseRow,
  type DecidedRow,
} from './reports.queries.ts';

export {
  forgetReporter,
  listDecisionsAbout as listDecisionsToExport,
  listReportsBy as listReportsToExport,
} from './reports.queries.ts';

/** A file that a spreadsheet still opens. */
const MOST_IN_FILE = 100_000;

interface PageInput {
  readonly limit?: string | undefined;
  readonly cursor?: string | undefined;
}

/** Reports something; said again by the same user it is one report. */
export const reportThing = (
  db: Db,
  viewer: Viewer,
  { kind, id, reason, words: said }: { kind: ReportedKind; id: string; reason: ReportReason; words: string },
): Promise<{ acknowledged: boolean }> => {
  const viewerId = viewer.kind === 'signed-in' ? viewer.userId : null;
  const words = said.replaceAll('\r\n', '\n').trim();
  if (reason === 'other' && words === '') throw badFields({ words: 'Please say what is wrong' });
  return db.transaction().execute(async (trx) => {
    const found = await findReported(trx, { kind, id, viewerId });
    if (found === undefined) throw notFound('There is nothing here to report');
    if (found.userId === viewerId) throw badFields({ id: 'This is your own' });
    const caseId = await openCase(trx, { kind, ...found });
    await insertReport(trx, { caseId, reporterId: viewerId, reason, words });
    return { acknowledged: true };
  });
};

const pathOf = ({ kind, subjectId, slug, listingId }: CaseRow): string => {
  if (kind === 'copy') return `/book/${subjectId}`;
  if (listingId !== null) return `/book/${listingId}`;
  return kind === 'person' && slug !== '' ? `/seller/${slug}` : '';
};

const shown = (row: CaseRow, viewerId: string): ReportCase => ({
  _id: row.id,
  kind: row.kind,
  title: row.title,
  evidence: row.evidence,
  path: pathOf(row),
  photo: row.photo,
  about: {
    _id: row.userId,
    name: row.isThere ? row.name : '',
    email: row.isThere ? row.email : '',
    suspended: row.suspended,
  },
  upheldBefore: row.upheldBefore,
  reports: [...row.reports],
  openedAt: row.openedAt.toISOString(),
  isLate: row.decision === null && row.isLate,
  decision: row.decision,
  decidedBy: row.decider,
  decidedAt: row.decidedAt?.toISOString() ?? null,
  reason: row.reason,
  appeal: row.appeal,
  appealUpheld: row.appealUpheld,
  isMine: row.decidedBy === viewerId,
});

/** What was reported: what waits the oldest first, what was decided the newest first. */
export const listReportCases = async (
  db: Db,
  viewer: Viewer,
  { state, ...query }: PageInput & { state: CaseState },
): Promise<{ rows: ReportCase[]; next?: string }> => {
  const { userId } = requireAdmin(viewer);
  const limit = limitOf(query.limit);
  const page = pageOf(await listCases(db, state, { limit: limit + 1, after: positionOf(query.cursor) }), limit);
  return { ...page, rows: page.rows.map((row) => shown(row, userId)) };
};

const tellSubject = async (
  trx: Trx,
  one: CaseRow,
  news: { about: 'decided' | 'undone' | 'upheld' | 'taken-back'; action: ReportAction; reason: string },
): Promise<void> => {
  if (!one.isThere) return;
  await queueMail(trx, {
    kind: 'decision',
    key: `decision:${one.id}:${news.about}:${Date.now()}`,
    to: { email: one.email, name: one.name },
    data: { kind: one.kind, title: one.title, ...news },
  });
};

const subjectOf = ({ kind, subjectId, userId }: CaseRow) =>
  kind === 'copy' ? { kind: 'listing', id: subjectId } : { kind: 'user', id: userId };

const tellReporters = async (trx: Trx, one: Pick<CaseRow, 'id' | 'title'>, isActedOn: boolean): Promise<void> => {
  for (const { id, email, name } of await listReporters(trx, one.id)) {
    await queueMail(trx, {
      kind: 'report-looked-at',
      key: `report-looked-at:${one.id}:${id}:${Date.now()}`,
      to: { email, name },
      data: { title: one.title, isActedOn },
    });
  }
};

/**
 * An admin took a copy out of the shop without a report, or before they looked at one: it is a decision like any other,
 * of which its seller reads the reason and which another admin looks at on appeal. They are told by whoever does it.
 */
export const noteTakenDown: NoteTakenDown = async (trx, { listingId, actorId, reason }) => {
  const found = await findHeld(trx, listingId);
  if (found === undefined) return;
  const id = await openCase(trx, { kind: 'copy', ...found });
  await writeDecision(trx, { id, action: 'delete', actorId, reason });
  await tellReporters(trx, { id, title: found.title }, true);
};

const onCase = <A>(
  db: Db,
  viewer: Viewer,
  id: string,
  work: (trx: Trx, one: CaseRow, actorId: string) => Promise<A>,
): Promise<A> => {
  requireAdmin(viewer);
  return db.transaction().execute(async (trx) => {
    const actorId = await lockActingAdmin(trx, viewer);
    const one = await lockCase(trx, id.toLowerCase());
    if (one === undefined) throw notFound('There is no such report');
    return work(trx, one, actorId);
  });
};

/** Decides what was reported, does it, and tells whom it is about and who reported it. */
export const decideCase = async (
  deps: ModerationDeps,
  viewer: Viewer,
  decision: { id: string; action: ReportAction; reason: string; days?: number | undefined },
  onError: (error: unknown, id: string) => void,
): Promise<{ modifiedCount: number }> => {
  const decided = await onCase(deps.db, viewer, decision.id, async (trx, one, actorId) => {
    const { action, days } = decision;
    const reason = oneLine(decision.reason);
    const refusal = decisionRefusal(one, { actorId, action, reason });
    if (refusal !== undefined) throw refusal;
    await doDeed(trx, one, { actorId, action, reason, days });
    await writeDecision(trx, { id: one.id, action, actorId, reason });
    if (action !== 'no-fault') await tellSubject(trx, one, { about: 'decided', action, reason });
    await tellReporters(trx, one, action !== 'no-fault');
    const details = { action, what: one.title, ...(reason !== '' && { reason }) };
    await recordAudit(trx, { actorId, action: 'report decided', subject: subjectOf(one), details });
    return { one, actorId };
  });
  await afterDeed(deps, decided.one, { actorId: decided.actorId, action: decision.action }, onError);
  return { modifiedCount: 1 };
};

/** Takes a decision back: the case is open again, and whom it is about is told. */
export const undoDecision = (db: Db, viewer: Viewer, id: string): Promise<{ modifiedCount: number }> =>
  onCase(db, viewer, id, async (trx, one, actorId) => {
    const refusal = undoRefusal(one, actorId);
    if (refusal !== undefined) throw refusal;
    const action = one.decision ?? 'no-fault';
    await undoDeed(trx, one, action, actorId);
    await reopenCase(trx, one);
    if (action !== 'no-fault') await tellSubject(trx, one, { about: 'undone', action, reason: '' });
    const details = { action, what: one.title };
    await recordAudit(trx, { actorId, action: 'report decision undone', subject: subjectOf(one), details });
    return { modifiedCount: 1 };
  });

/** Decides an appeal: what is not upheld is taken back. */
export const decideAppeal = (
  db: Db,
  viewer: Viewer,
  { id, isUpheld, reason: text }: { id: string; isUpheld: boolean; reason: string },
): Promise<{ modifiedCount: number }> =>
  onCase(db, viewer, id, async (trx, one, actorId) => {
    const refusal = appealRefusal(one, actorId);
    if (refusal !== undefined) throw refusal;
    const reason = reasonOf(text);
    const action = one.decision ?? 'no-fault';
    if (!isUpheld) await undoDeed(trx, one, action, actorId);
    await endAppeal(trx, one.id, isUpheld);
    await tellSubject(trx, one, { about: isUpheld ? 'upheld' : 'taken-back', action, reason });
    const details = { isUpheld, what: one.title, reason };
    await recordAudit(trx, { actorId, action: 'appeal decided', subject: subjectOf(one), details });
    return { modifiedCount: 1 };
  });

const HEADERS = ['Day', 'About', 'Grounds', 'Reports', 'Hours until decided', 'Decision', 'Appeal'];

const appealWord = ({ isAppealed, appealUpheld }: DecidedRow): string => {
  if (!isAppealed) return '';
  if (appealUpheld === null) return 'waits';
  return appealUpheld ? 'upheld' : 'taken back';
};

/** The decisions of a year as CSV, by the shop's calendar; no names, so that it can be published. */
export const decisionsFile = async (
  db: Db,
  viewer: Viewer,
  input: { year: string; timeZone: string },
): Promise<NamedFile> => {
  requireAdmin(viewer);
  const rows = await listDecidedIn(db, { ...input, limit: MOST_IN_FILE });
  const lines = rows.map((row) => [
    textCell(row.at),
    textCell(row.kind),
    textCell(row.grounds),
    String(row.reports),
    String(row.hours),
    textCell(row.decision),
    textCell(appealWord(row)),
  ]);
  return new NamedFile(`dogear-decisions-${input.year}.csv`, 'text/csv; charset=utf-8', csvFile(HEADERS, lines));
};

/** What was decided about the viewer, the newest first. */
export const listOwnDecisions = async (
  db: Db,
  viewer: Viewer,
  query: PageInput,
): Promise<{ rows: OwnDecision[]; next?: string }> => {
  const { userId } = requireSignedIn(viewer);
  const limit = limitOf(query.limit);
  const found = await listDecisionsAbout(db, userId, { limit: limit + 1, after: positionOf(query.cursor) });
  const page = pageOf(found, limit);
  return { ...page, rows: page.rows.map(({ id, ...row }) => ({ _id: id, ...row })) };
};

/** Asks that another admin looks at a decision about the viewer, once. */
export const appealDecision = (
  db: Db,
  viewer: Viewer,
  { id, words: said }: { id: string; words: string },
): Promise<{ modifiedCount: number }> => {
  const { userId } = requireSignedIn(viewer);
  const words = said.replaceAll('\r\n', '\n').trim();
  if (words === '') throw badFields({ words: 'Say why it is a mistake' });
  return db.transaction().execute(async (trx) => {
    const one = await lockCase(trx, id);
    if (one === undefined || one.userId !== userId || one.decision === null || one.decision === 'no-fault')
      throw notFound('There is no such decision about you');
    const [mine] = (await listDecisionsAbout(trx, userId, { limit: 100, after: undefined })).filter(
      (row) => row.id === one.id,
    );
    if (mine?.mayAppeal !== true) throw new AppError('case_moved', 'You cannot appeal this any more');
    await writeAppeal(trx, one.id, words);
    return { modifiedCount: 1 };
  });
};
