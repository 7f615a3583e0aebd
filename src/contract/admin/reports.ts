import { Type, type Static } from 'typebox';
import { PhotoName } from '#contract/catalog/photos.ts';
import { endpoint } from '#contract/endpoint.ts';
import { Id, IsoTime, PageQuery } from '#contract/scalars.ts';
import { Reason } from './reason.ts';
import { MAX_SUSPENSION_DAYS } from './suspending.ts';

/** What can be reported. */
export const REPORTED_KINDS = ['copy', 'photo', 'person', 'review', 'message'] as const;
export type ReportedKind = (typeof REPORTED_KINDS)[number];
const Kind = Type.Unsafe<ReportedKind>(Type.Union(REPORTED_KINDS.map((kind) => Type.Literal(kind))));

/** Why something is reported, in the order in which it is chosen. */
export const REPORT_REASONS = [
  { id: 'untrue', label: 'Not what it says it is' },
  { id: 'picture', label: 'Wrong or stolen pictures' },
  { id: 'counterfeit', label: 'A pirated copy' },
  { id: 'fraud', label: 'Cheating, or payment elsewhere' },
  { id: 'abuse', label: 'Insults, threats, harassment' },
  { id: 'unlawful', label: 'May not be sold or said here' },
  { id: 'other', label: 'Something else' },
] as const;
export type GivenReason = (typeof REPORT_REASONS)[number]['id'];
/** `held`: nobody reported it, the shop has it looked at before it goes live. */
export type ReportReason = GivenReason | 'held';
const GivenReasonId = Type.Unsafe<GivenReason>(Type.Union(REPORT_REASONS.map(({ id }) => Type.Literal(id))));
const ReasonId = Type.Unsafe<ReportReason>(
  Type.Union([...REPORT_REASONS.map(({ id }) => Type.Literal(id)), Type.Literal('held')]),
);

export const MAX_REPORT_WORDS = 1_000;
/** From so many hours on a report has waited too long. */
export const REPORT_HOURS = 48;

/**
 * What is decided about something that was reported. `hide`: a copy is taken off the shelf, a photo taken down, a
 * review or message seen no more. `delete`: a copy with its photos, or a person.
 */
export const REPORT_ACTIONS = ['no-fault', 'warn', 'hide', 'suspend', 'delete'] as const;
export type ReportAction = (typeof REPORT_ACTIONS)[number];
const Action = Type.Unsafe<ReportAction>(Type.Union(REPORT_ACTIONS.map((action) => Type.Literal(action))));

/** What can be decided about each kind. */
export const ACTIONS_OF: Readonly<Record<ReportedKind, readonly ReportAction[]>> = {
  copy: ['no-fault', 'warn', 'hide', 'suspend', 'delete'],
  photo: ['no-fault', 'warn', 'hide', 'suspend'],
  person: ['no-fault', 'warn', 'suspend', 'delete'],
  review: ['no-fault', 'warn', 'hide', 'suspend'],
  message: ['no-fault', 'warn', 'hide', 'suspend'],
};

/**
 * Reports something to the shop, once for each who is signed in. `id`: of the copy, photo, review or message, and of a
 * person their id or the address of their seller's page. 400 for what is the reporter's own, 404 for what is not
 * there, and for a message that was not written to them.
 */
export const reportThing = endpoint({
  method: 'POST',
  path: '/reports',
  summary: 'Reports a copy, photo, person, review or message to the shop',
  access: 'anyone',
  body: Type.Object({
    kind: Kind,
    id: Type.String({ minLength: 1, maxLength: 100 }),
    reason: GivenReasonId,
    words: Type.String({ maxLength: MAX_REPORT_WORDS }),
  }),
  status: 201,
  answer: Type.Object({ acknowledged: Type.Boolean() }),
  refused: { acknowledged: false },
  personal: true,
});

/** `by` is `""` for a visitor and for somebody who has left. */
const Report = Type.Object({ by: Type.String(), reason: ReasonId, words: Type.String(), at: IsoTime });

/**
 * All reports of one thing until it is decided. `evidence` is the thing as it was when it was first reported; `path`
 * its page, `""` for none; `photo` the picture while it is shown, of a photo. `upheldBefore`: how often something was
 * decided against whom it is about. `isMine`: the viewer decided it, and another admin decides an appeal.
 */
export const ReportCase = Type.Object({
  _id: Id,
  kind: Kind,
  title: Type.String(),
  evidence: Type.String(),
  path: Type.String(),
  photo: Type.Union([PhotoName, Type.Null()]),
  about: Type.Object({ _id: Id, name: Type.String(), email: Type.String(), suspended: Type.Boolean() }),
  upheldBefore: Type.Integer(),
  reports: Type.Array(Report),
  openedAt: IsoTime,
  isLate: Type.Boolean(),
  decision: Type.Union([Action, Type.Null()]),
  decidedBy: Type.String(),
  decidedAt: Type.Union([IsoTime, Type.Null()]),
  reason: Type.String(),
  appeal: Type.String(),
  appealUpheld: Type.Union([Type.Boolean(), Type.Null()]),
  isMine: Type.Boolean(),
});
export type ReportCase = Static<typeof ReportCase>;

/** `open`: what waits, the oldest first. `appeals`: appeals that wait. `decided`: the newest first. */
export const CASE_STATES = ['open', 'appeals', 'decided'] as const;
export type CaseState = (typeof CASE_STATES)[number];

export const listReportCases = endpoint({
  method: 'GET',
  path: '/reports/cases',
  summary: 'What was reported, by the thing it is about',
  access: 'admin',
  query: Type.Object({
    state: Type.Unsafe<CaseState>(Type.Union(CASE_STATES.map((state) => Type.Literal(state)))),
    ...PageQuery,
  }),
  status: 200,
  answer: Type.Array(ReportCase),
  personal: true,
});

const params = Type.Object({ id: Id });
const Modified = Type.Object({ modifiedCount: Type.Integer() });

/**
 * Decides a case; whom it is about is mailed the decision with its reason unless nothing is found, and whoever reported
 * it that it was looked at. 409 `case_moved` for one that was decided meanwhile.
 */
export const decideCase = endpoint({
  method: 'POST',
  path: '/reports/cases/:id/decision',
  summary: 'Decides what was reported',
  access: 'admin, not about oneself',
  params,
  body: Type.Object({
    action: Action,
    reason: Type.String({ maxLength: 500 }),
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_SUSPENSION_DAYS })),
  }),
  status: 200,
  answer: Modified,
  refused: { modifiedCount: 0 },
  personal: true,
});

/**
 * Takes a decision back: what it took is there again, but for photos, which their seller may upload anew, and the case
 * is open.
 */
export const undoDecision = endpoint({
  method: 'DELETE',
  path: '/reports/cases/:id/decision',
  summary: 'Takes a decision about a report back',
  access: 'admin',
  params,
  status: 200,
  answer: Modified,
  refused: { modifiedCount: 0 },
  personal: true,
});

/** By another admin than the one who decided; what is not upheld is taken back. */
export const decideAppeal = endpoint({
  method: 'POST',
  path: '/reports/cases/:id/appeal',
  summary: 'Decides an appeal against a decision',
  access: 'admin, not the one who decided',
  params,
  body: Type.Object({ isUpheld: Type.Boolean(), reason: Reason }),
  status: 200,
  answer: Modified,
  refused: { modifiedCount: 0 },
  personal: true,
});

/** A row a decision of the year, the oldest first: no names, so that it can be published. */
export const decisionsFile = endpoint({
  method: 'GET',
  path: '/reports/decisions.csv',
  summary: 'The decisions of a year as a file for a transparency report',
  access: 'admin',
  query: Type.Object({ year: Type.String({ pattern: '^2[0-9]{3}$' }) }),
  status: 200,
  answer: Type.String(),
  file: { type: 'text/csv; charset=utf-8', name: 'dogear-decisions.csv' },
  personal: true,
});

/** What was decided about the viewer. `mayAppeal`: once, for six months. */
export const OwnDecision = Type.Object({
  _id: Id,
  kind: Kind,
  title: Type.String(),
  decision: Action,
  reason: Type.String(),
  at: IsoTime,
  appeal: Type.String(),
  appealUpheld: Type.Union([Type.Boolean(), Type.Null()]),
  mayAppeal: Type.Boolean(),
});
export type OwnDecision = Static<typeof OwnDecision>;

export const listOwnDecisions = endpoint({
  method: 'GET',
  path: '/account/decisions',
  summary: 'What the shop decided about the viewer, newest first',
  access: 'signed in',
  query: Type.Object(PageQuery),
  status: 200,
  answer: Type.Array(OwnDecision),
  personal: true,
});

export const MAX_APPEAL_LENGTH = 2_000;

export const appealDecision = endpoint({
  method: 'POST',
  path: '/account/decisions/:id/appeal',
  summary: 'Asks that another admin looks at a decision',
  access: 'whom it is about, once',
  params,
  body: Type.Object({ words: Type.String({ minLength: 1, maxLength: MAX_APPEAL_LENGTH }) }),
  status: 200,
  answer: Modified,
  refused: { modifiedCount: 0 },
  personal: true,
});
