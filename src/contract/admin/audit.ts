import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { IsoTime, PageQuery } from '#contract/scalars.ts';

/** Everything that is written down when it is done, in the words it is written down with. */
export const AUDITED = [
  'user made admin',
  'admin role removed',
  'user verified',
  'verification removed',
  'user deleted',
  'user restored',
  'seller declared',
  'identity confirmed',
  'user suspended',
  'suspension lifted',
  'own account deleted',
  'passkeys forgotten',
  'category renamed',
  'category merged',
  'category deleted',
  'listing deleted',
  'listing restored',
  'booking refunded',
  'refund tried again',
  'refund paid otherwise',
  'refunded copy relisted',
  'refunded copy withdrawn',
  'bank details entered',
  'payout batch made',
  'payout batch approved',
  'payout file downloaded',
  'payout marked paid',
  'payout struck off',
  'payout returned',
  'adjustment asked for',
  'adjustment approved',
  'adjustment declined',
  'review allowed',
  'review removed',
  'report decided',
  'report decision undone',
  'appeal decided',
] as const;
export type Audited = (typeof AUDITED)[number];

/**
 * A deed: `who` did `action` to `about`, a user, copy, booking or category by name. `who` is null for whoever runs the
 * shop. `says` is the same in plain words: "Refunded $7.25 to Nora for Dune". `reason` is `""` where none was given.
 */
export const AuditEntry = Type.Object({
  _id: Type.String(),
  at: IsoTime,
  who: Type.Union([Type.Object({ name: Type.String(), email: Type.String() }), Type.Null()]),
  action: Type.String(),
  about: Type.String(),
  says: Type.String(),
  reason: Type.String(),
  subjectKind: Type.String(),
  subjectId: Type.String(),
  details: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
});
export type AuditEntry = Static<typeof AuditEntry>;

const Day = Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description: 'a day in UTC, such as 2026-11-21' });

/** `q` is a part of the name or address of who did it, or of what was done to; days count whole, the last one too. */
const AuditFilter = {
  q: Type.Optional(Type.String({ maxLength: 254 })),
  action: Type.Optional(Type.Enum([...AUDITED, ''])),
  from: Type.Optional(Type.Union([Day, Type.Literal('')])),
  to: Type.Optional(Type.Union([Day, Type.Literal('')])),
};

export const listAudit = endpoint({
  method: 'GET',
  path: '/audit',
  summary: 'What was done by whom, newest first',
  access: 'admin',
  query: Type.Object({ ...AuditFilter, ...PageQuery }),
  status: 200,
  answer: Type.Array(AuditEntry),
  personal: true,
});

/** As `readStatement`'s file; 400 when more than 100,000 deeds would stand in it. */
export const downloadAudit = endpoint({
  method: 'GET',
  path: '/audit.csv',
  summary: 'The same as a CSV file',
  access: 'admin',
  query: Type.Object(AuditFilter),
  status: 200,
  answer: Type.String(),
  file: { type: 'text/csv; charset=utf-8', name: 'dogear-audit.csv' },
  personal: true,
});
