import { sql, type RawBuilder } from 'kysely';
import {
  REPORT_HOURS,
  type CaseState,
  type ReportAction,
  type ReportedKind,
  type ReportReason,
} from '#contract/admin/reports.ts';
import type { Position } from '#server/platform/cursor.ts';
import { SHOP_NOW } from '#server/platform/postgres/clock.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

/** What is reported, as it is now, and whose it is. */
export interface Reported {
  readonly subjectId: string;
  readonly userId: string;
  readonly title: string;
  readonly evidence: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const COPY = `SELECT l.id AS "subjectId", l.seller_id AS "userId", l.title,
      concat_ws(E'\\n', nullif(l.authors, ''), l.condition, '$' || to_char(l.resale_cents / 100.0, 'FM999990.00'),
        nullif(l.location, ''), nullif(l.details, '')) AS evidence
    FROM listings AS l`;

/** What can be seen of each kind by whom may report it; messages by whom they were written to. */
const FOUND: Readonly<Record<ReportedKind, (id: string, viewerId: string | null) => RawBuilder<Reported>>> = {
  copy: (id) => sql<Reported>`${sql.raw(COPY)} WHERE l.id = ${id} AND l.status NOT IN ('withdrawn', 'paused')`,
  photo: (id) => sql<Reported>`SELECT p.id AS "subjectId", p.owner_id AS "userId", 'A photo of ' || l.title AS title,
      concat_ws(E'\\n', l.title, i.caption, 'Fingerprint (SHA-256) ' || encode(p.digest, 'hex')) AS evidence
    FROM photos AS p JOIN listing_photos AS i ON i.photo_id = p.id JOIN listings AS l ON l.id = i.listing_id
    WHERE p.id = ${id} AND p.deleted_at IS NULL AND l.status NOT IN ('withdrawn', 'paused') LIMIT 1`,
  person: (id) => sql<Reported>`SELECT u.id AS "subjectId", u.id AS "userId", u.name AS title,
      concat_ws(E'\\n', u.name, nullif(p.about, ''), nullif(p.place, '')) AS evidence
    FROM users AS u LEFT JOIN seller_pages AS p ON p.user_id = u.id WHERE u.id = ${id} AND u.deleted_at IS NULL`,
  review: (id) => sql<Reported>`SELECT r.id AS "subjectId", r.author_id AS "userId", 'A review of ' || s.name AS title,
      r.stars || ' of 5 stars' || E'\\n' || r.words AS evidence
    FROM reviews AS r JOIN users AS s ON s.id = r.subject_id
    WHERE r.id = ${id} AND r.state = 'open' AND r.shown_at IS NOT NULL`,
  message: (id, viewerId) => sql<Reported>`SELECT m.id AS "subjectId", m.sender_id AS "userId",
      'A message from ' || u.name AS title, m.body AS evidence
    FROM messages AS m JOIN message_threads AS t ON t.id = m.thread_id JOIN users AS u ON u.id = m.sender_id
    WHERE m.id = ${id} AND ${viewerId}::uuid IN (t.buyer_id, t.seller_id) AND m.forgotten_at IS NULL
      AND m.hidden_at IS NULL`,
};

/** Somebody's id, by that or by the address of their seller's page; undefined for nobody. */
const personOf = async (trx: Trx, said: string): Promise<string | undefined> => {
  if (UUID.test(said)) return said;
  const user = await trx
    .selectFrom('users')
    .select('id')
    .where('seller_slug', '=', said)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return user?.id;
};

/** The thing that is reported as it is now; undefined where there is none that the reporter can see. */
export const findReported = async (
  trx: Trx,
  { kind, id, viewerId }: { kind: ReportedKind; id: string; viewerId: string | null },
): Promise<Reported | undefined> => {
  const said = id.toLowerCase();
  const subject = kind === 'person' ? await personOf(trx, said) : said;
  if (subject === undefined || !UUID.test(subject)) return undefined;
  const { rows } = await FOUND[kind](subject, viewerId).execute(trx);
  return rows[0];
};

/** A copy that is about to be on the shelf. */
export const findHeld = async (trx: Trx, id: string): Promise<Reported | undefined> => {
  const { rows } = await sql<Reported>`${sql.raw(COPY)} WHERE l.id = ${id}`.execute(trx);
  return rows[0];
};

/** The open case of a thing, begun by the first report; answers its id. */
export const openCase = async (
  trx: Trx,
  { kind, subjectId, userId, title, evidence }: Reported & { kind: ReportedKind },
): Promise<string> => {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO report_cases AS c (kind, subject_id, user_id, title, evidence)
    VALUES (${kind}, ${subjectId}, ${userId}, left(${title}, 800), left(${evidence}, 8000))
    ON CONFLICT (kind, subject_id) WHERE decided_at IS NULL DO UPDATE SET title = c.title RETURNING id`.execute(trx);
  return rows[0]?.id ?? '';
};

/** Writes a report down; false where this user has reported it before. */
export const insertReport = async (
  trx: Trx,
  report: { caseId: string; reporterId: string | null; reason: ReportReason; words: string },
): Promise<boolean> => {
  const { rows } = await sql`INSERT INTO reports (case_id, reporter_id, reason, words)
    VALUES (${report.caseId}, ${report.reporterId}, ${report.reason}, ${report.words})
    ON CONFLICT (case_id, reporter_id) WHERE reporter_id IS NOT NULL DO NOTHING RETURNING 1`.execute(trx);
  return rows.length > 0;
};

export interface CaseRow extends Position {
  readonly kind: ReportedKind;
  readonly subjectId: string;
  readonly userId: string;
  readonly title: string;
  readonly evidence: string;
  readonly name: string;
  readonly email: string;
  readonly slug: string;
  /** The copy that a photo shows, while it does. */
  readonly listingId: string | null;
  readonly photo: string | null;
  readonly isThere: boolean;
  readonly suspended: boolean;
  readonly upheldBefore: number;
  readonly openedAt: Date;
  readonly isLate: boolean;
  readonly decision: ReportAction | null;
  readonly decidedBy: string | null;
  readonly decider: string;
  readonly decidedAt: Date | null;
  readonly reason: string;
  readonly appeal: string;
  readonly appealedAt: Date | null;
  readonly appealUpheld: boolean | null;
  readonly reports: readonly { by: string; reason: ReportReason; words: string; at: string }[];
}

const isoOf = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const columns = (at: string): string => `c.id, ${isoOf(at)} AS at, c.kind, c.subject_id AS "subjectId",
  c.user_id AS "userId", c.title, c.evidence, u.name, u.email, coalesce(u.seller_slug, '') AS slug,
  (SELECT i.listing_id FROM listing_photos AS i WHERE c.kind = 'photo' AND i.photo_id = c.subject_id
    LIMIT 1) AS "listingId",
  (SELECT p.name FROM photos AS p WHERE c.kind = 'photo' AND p.id = c.subject_id) AS photo,
  u.deleted_at IS NULL AS "isThere", is_suspended(u.id) AS suspended,
  (SELECT count(*)::integer FROM report_cases AS b WHERE b.user_id = c.user_id AND b.id <> c.id
    AND b.decision <> 'no-fault' AND b.appeal_upheld IS DISTINCT FROM false) AS "upheldBefore",
  c.opened_at AS "openedAt", c.opened_at < shop_now() - make_interval(hours => ${REPORT_HOURS}) AS "isLate",
  c.decision, c.decided_by AS "decidedBy", coalesce(d.name, '') AS decider, c.decided_at AS "decidedAt", c.reason,
  c.appeal, c.appealed_at AS "appealedAt", c.appeal_upheld AS "appealUpheld",
  coalesce((SELECT json_agg(json_build_object('by', CASE WHEN w.deleted_at IS NULL THEN coalesce(w.name, '') ELSE '' END,
      'reason', r.reason, 'words', r.words, 'at', ${isoOf('r.at')}) ORDER BY r.at, r.id)
    FROM (SELECT * FROM reports WHERE case_id = c.id ORDER BY at, id LIMIT 50) AS r
    LEFT JOIN users AS w ON w.id = r.reporter_id), '[]') AS reports`;

const FROM = `report_cases AS c JOIN users AS u ON u.id = c.user_id LEFT JOIN users AS d ON d.id = c.decided_by`;

const LISTS = {
  open: { where: 'c.decided_at IS NULL', key: 'c.opened_at', way: 'ASC', beyond: '>' },
  appeals: {
    where: 'c.appealed_at IS NOT NULL AND c.appeal_decided_at IS NULL',
    key: 'c.appealed_at',
    way: 'ASC',
    beyond: '>',
  },
  decided: { where: 'c.decided_at IS NOT NULL', key: 'c.decided_at', way: 'DESC', beyond: '<' },
} as const satisfies Record<CaseState, object>;

export const listCases = async (
  db: Db,
  state: CaseState,
  page: { limit: number; after: Position | undefined },
): Promise<CaseRow[]> => {
  const { where, key, way, beyond } = LISTS[state];
  const after =
    page.after === undefined
      ? sql``
      : sql`AND (${sql.raw(key)}, c.id) ${sql.raw(beyond)} (${page.after.at}::timestamptz, ${page.after.id}::uuid)`;
  const { rows } = await sql<CaseRow>`SELECT ${sql.raw(columns(key))} FROM ${sql.raw(FROM)}
    WHERE ${sql.raw(where)} ${after} ORDER BY ${sql.raw(`${key} ${way}, c.id ${way}`)} LIMIT ${page.limit}`.execute(db);
  return rows;
};

/** A case, locked until the transaction ends. */
export const lockCase = async (trx: Trx, id: string): Promise<CaseRow | undefined> => {
  const { rows } = await sql<CaseRow>`SELECT ${sql.raw(columns('c.opened_at'))} FROM ${sql.raw(FROM)}
    WHERE c.id = ${id} FOR UPDATE OF c`.execute(trx);
  return rows[0];
};

export const writeDecision = async (
  trx: Trx,
  { id, action, actorId, reason }: { id: string; action: ReportAction; actorId: string; reason: string },
): Promise<void> => {
  await sql`UPDATE report_cases SET decided_at = ${SHOP_NOW}, decision = ${action}, decided_by = ${actorId},
    reason = ${reason} WHERE id = ${id}`.execute(trx);
};

/** Opens a case again; where it was reported anew meanwhile, the reports become those of the new one. */
export const reopenCase = async (trx: Trx, { id, kind, subjectId }: CaseRow): Promise<void> => {
  const newer = await trx
    .selectFrom('report_cases')
    .select('id')
    .where('kind', '=', kind)
    .where('subject_id', '=', subjectId)
    .where('decided_at', 'is', null)
    .executeTakeFirst();
  if (newer !== undefined) {
    await sql`UPDATE report_cases SET decision = 'no-fault', reason = '' WHERE id = ${id}`.execute(trx);
    return;
  }
  await sql`UPDATE report_cases SET decided_at = NULL, decision = NULL, decided_by = NULL, reason = '', appeal = '',
    appealed_at = NULL, appeal_decided_at = NULL, appeal_upheld = NULL WHERE id = ${id}`.execute(trx);
};

export const writeAppeal = async (trx: Trx, id: string, words: string): Promise<void> => {
  await sql`UPDATE report_cases SET appeal = ${words}, appealed_at = ${SHOP_NOW} WHERE id = ${id}`.execute(trx);
};

export const endAppeal = async (trx: Trx, id: string, isUpheld: boolean): Promise<void> => {
  await sql`UPDATE report_cases SET appeal_decided_at = ${SHOP_NOW}, appeal_upheld = ${isUpheld}
    WHERE id = ${id}`.execute(trx);
};

/** Who reported a case and is there still. */
export const listReporters = async (
  trx: Trx,
  caseId: string,
): Promise<{ id: string; email: string; name: string }[]> => {
  const { rows } = await sql<{ id: string; email: string; name: string }>`SELECT u.id, u.email, u.name
    FROM reports AS r JOIN users AS u ON u.id = r.reporter_id
    WHERE r.case_id = ${caseId} AND u.deleted_at IS NULL`.execute(trx);
  return rows;
};

export interface OwnDecisionRow extends Position {
  readonly kind: ReportedKind;
  readonly title: string;
  readonly decision: ReportAction;
  readonly reason: string;
  readonly appeal: string;
  readonly appealUpheld: boolean | null;
  readonly mayAppeal: boolean;
}

/** What was decided against somebody, the newest first, after a position. */
export const listDecisionsAbout = async (
  db: Db,
  userId: string,
  page: { limit: number; after: Position | undefined },
): Promise<OwnDecisionRow[]> => {
  const after =
    page.after === undefined
      ? sql``
      : sql`AND (decided_at, id) < (${page.after.at}::timestamptz, ${page.after.id}::uuid)`;
  const { rows } = await sql<OwnDecisionRow>`SELECT id, ${sql.raw(isoOf('decided_at'))} AS at, kind, title, decision,
      reason, appeal, appeal_upheld AS "appealUpheld",
      appealed_at IS NULL AND decided_at > ${SHOP_NOW} - interval '6 months' AS "mayAppeal"
    FROM report_cases WHERE user_id = ${userId} AND decision <> 'no-fault' ${after}
    ORDER BY decided_at DESC, id DESC LIMIT ${page.limit}`.execute(db);
  return rows;
};

export interface DecidedRow {
  readonly at: string;
  readonly kind: ReportedKind;
  readonly grounds: string;
  readonly reports: number;
  readonly hours: number;
  readonly decision: ReportAction;
  readonly appealUpheld: boolean | null;
  readonly isAppealed: boolean;
}

/** What was decided in a year of a time zone, the oldest first, at most `limit`. */
export const listDecidedIn = async (
  db: Db,
  { year, timeZone, limit }: { year: string; timeZone: string; limit: number },
): Promise<DecidedRow[]> => {
  const from = (of: string) => sql`(${`${of}-01-01`}::timestamp AT TIME ZONE ${timeZone})`;
  const { rows } =
    await sql<DecidedRow>`SELECT to_char(c.decided_at AT TIME ZONE ${timeZone}, 'YYYY-MM-DD') AS at, c.kind,
      -- Nobody had reported what an admin took down unasked.
      coalesce((SELECT string_agg(DISTINCT r.reason, ' ' ORDER BY r.reason) FROM reports AS r WHERE r.case_id = c.id), '')
        AS grounds,
      (SELECT count(*)::integer FROM reports AS r WHERE r.case_id = c.id) AS reports,
      ceil(extract(epoch FROM c.decided_at - c.opened_at) / 3600)::integer AS hours,
      c.decision, c.appeal_upheld AS "appealUpheld", c.appealed_at IS NOT NULL AS "isAppealed"
    FROM report_cases AS c
    WHERE c.decided_at >= ${from(year)} AND c.decided_at < ${from(String(Number(year) + 1))}
    ORDER BY c.decided_at, c.id LIMIT ${limit}`.execute(db);
  return rows;
};

/** What somebody reported, for the export. */
export const listReportsBy = (db: Db, reporterId: string) =>
  db
    .selectFrom('reports as r')
    .innerJoin('report_cases as c', 'c.id', 'r.case_id')
    .select(['c.kind', 'c.title', 'r.reason', 'r.words', 'r.at'])
    .where('r.reporter_id', '=', reporterId)
    .orderBy('r.at')
    .execute();

/** Takes who reported out of the reports of one who left. */
export const forgetReporter = async (trx: Trx, userId: string): Promise<void> => {
  await trx.updateTable('reports').set({ reporter_id: null }).where('reporter_id', '=', userId).execute();
};
