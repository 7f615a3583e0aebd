import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { Dollars, Id, IsoTime, PageQuery } from '#contract/scalars.ts';

/** What a row of a statement is about. */
export const StatementKind = Type.Union([
  Type.Literal('sale'),
  Type.Literal('postage'),
  Type.Literal('release'),
  Type.Literal('payout'),
  Type.Literal('payout-refused'),
  Type.Literal('payout-reversed'),
  Type.Literal('payout-returned'),
  Type.Literal('adjustment'),
  Type.Literal('part-refund'),
  Type.Literal('refund'),
  Type.Literal('dispute-opened'),
  Type.Literal('dispute-won'),
  Type.Literal('dispute-lost'),
]);
export type StatementKind = Static<typeof StatementKind>;

/**
 * A row of a seller's statement: `amount` above zero is owed to the seller more, `balance` is what is owed after it, of
 * which `pending` is due only once its orders are closed. `says` explains it in a sentence.
 */
export const StatementRow = Type.Object({
  _id: Type.String(),
  at: IsoTime,
  kind: StatementKind,
  /** Null where no sale is concerned. */
  bookingId: Type.Union([Id, Type.Null()]),
  title: Type.String(),
  says: Type.String(),
  amount: Dollars,
  balance: Dollars,
  pending: Dollars,
});
export type StatementRow = Static<typeof StatementRow>;

/** The first row's `balance` is what the shop owes the seller, `pending` included. */
export const readStatement = endpoint({
  method: 'GET',
  path: '/statement',
  summary: "The seller's statement, newest first",
  access: 'seller',
  query: Type.Object(PageQuery),
  status: 200,
  answer: Type.Array(StatementRow),
  personal: true,
});

/** What a year brought a seller, in dollars; by the shop's calendar. */
export const StatementYear = Type.Object({
  year: Type.Integer(),
  /** Books paid for; what buyers paid for them; and for their postage. */
  sold: Type.Integer(),
  prices: Dollars,
  postage: Dollars,
  /** What the payment provider and the shop kept. */
  fees: Dollars,
  commission: Dollars,
  /** The seller's part of what went back to buyers, by refunds and by their banks. */
  givenBack: Dollars,
  /** What was corrected by an admin. */
  adjusted: Dollars,
  /** What was asked to be paid out, less what came back. */
  paidOut: Dollars,
});
export type StatementYear = Static<typeof StatementYear>;

/**
 * Where a seller's money is, in dollars: `pending` until orders are closed, `due` to be paid out (below zero it is
 * owed to the shop), `onItsWay` asked for, `paidOut` gone. And each year, the newest first.
 */
export const StatementSummary = Type.Object({
  pending: Dollars,
  due: Dollars,
  onItsWay: Dollars,
  paidOut: Dollars,
  years: Type.Array(StatementYear),
});
export type StatementSummary = Static<typeof StatementSummary>;

export const readStatementSummary = endpoint({
  method: 'GET',
  path: '/statement/summary',
  summary: "Where the seller's money is, and what each year brought",
  access: 'seller',
  status: 200,
  answer: StatementSummary,
  personal: true,
});

/**
 * UTF-8 with a byte order mark, oldest first; text that a spreadsheet would take for a formula begins with an
 * apostrophe.
 */
export const downloadStatement = endpoint({
  method: 'GET',
  path: '/statement.csv',
  summary: "The seller's whole statement, or a year of it, as a CSV file",
  access: 'seller',
  query: Type.Object({
    year: Type.Optional(Type.String({ pattern: '^20[0-9]{2}$', description: "of the shop's calendar" })),
  }),
  status: 200,
  answer: Type.String(),
  file: { type: 'text/csv; charset=utf-8', name: 'dogear-statement.csv' },
  personal: true,
});
