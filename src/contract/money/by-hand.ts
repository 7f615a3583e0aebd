import { Type, type Static } from 'typebox';
import { Reason } from '#contract/admin/reason.ts';
import { endpoint } from '#contract/endpoint.ts';
import { Dollars, Id, IsoTime, Text } from '#contract/scalars.ts';
import { BankAccountKind, BankAccountType } from './bank-details.ts';
import { PayoutWay } from './payouts.ts';

const IdParams = Type.Object({ id: Id });
const TextOrNull = Type.Union([Type.String(), Type.Null()]);

/**
 * Where a seller of a shop that pays by hand has their money sent. `shown` are the last digits of the account, never
 * more. Nothing is paid before `pausedUntil`; `locked` is why they have to be entered anew, such as what the bank said.
 */
export const BankDetails = Type.Object({
  details: Type.Union([
    Type.Object({
      kind: BankAccountKind,
      holder: Type.String(),
      country: Type.String(),
      accountType: Type.Union([BankAccountType, Type.Null()]),
      shown: Type.String(),
      enteredAt: IsoTime,
    }),
    Type.Null(),
  ]),
  pausedUntil: Type.Union([IsoTime, Type.Null()]),
  locked: TextOrNull,
});
export type BankDetails = Static<typeof BankDetails>;

/** 404 where the shop does not pay by hand; so is `enterBankDetails`. */
export const readBankDetails = endpoint({
  method: 'GET',
  path: '/payouts/details',
  summary: "Where the shop sends the seller's money by hand",
  access: 'seller',
  status: 200,
  answer: BankDetails,
  personal: true,
});

/**
 * Takes other details: the seller is told by mail, and payouts pause for `PAYOUT_DETAILS_HOLD_HOURS`. Who has a
 * password gives it; others signed in within the last 15 minutes, else 403 `fresh_sign_in_needed`. 400 with `fields`,
 * for a wrong password too; too many wrong ones are 429. The same details once more change nothing.
 */
export const enterBankDetails = endpoint({
  method: 'PUT',
  path: '/payouts/details',
  summary: "Changes where the shop sends the seller's money by hand",
  access: 'seller, with the password',
  body: Type.Object({
    password: Type.Optional(Type.String({ maxLength: 1_000 })),
    kind: BankAccountKind,
    holder: Text(200),
    country: Text(2),
    routing: Type.Optional(Text(40)),
    account: Type.Optional(Text(40)),
    accountType: Type.Optional(BankAccountType),
    iban: Type.Optional(Text(60)),
  }),
  status: 200,
  answer: BankDetails,
  refused: { details: null, pausedUntil: null, locked: null },
  personal: true,
});

/** How the file of a batch may be had. `nacha` has its US accounts only. */
export const BatchFormat = Type.Union([Type.Literal('csv'), Type.Literal('nacha')]);
export type BatchFormat = Static<typeof BatchFormat>;

/** What a seller is due, and whether it can be put into a batch. */
export const DueByHand = Type.Object({
  sellerId: Id,
  name: Type.String(),
  email: Type.String(),
  amount: Dollars,
  /** The last digits of the account; `null`, with country and kind, where no details were entered. */
  shown: TextOrNull,
  country: TextOrNull,
  kind: Type.Union([BankAccountKind, Type.Null()]),
  state: Type.Union([
    Type.Literal('ready'),
    Type.Literal('no-details'),
    Type.Literal('paused'),
    Type.Literal('locked'),
    Type.Literal('below-minimum'),
    Type.Literal('suspended'),
    Type.Literal('unidentified'),
  ]),
  pausedUntil: Type.Union([IsoTime, Type.Null()]),
  /** Other sellers with the same account. */
  sameAccountAs: Type.Array(Type.String()),
  /** Why a second admin is needed; null where none is. */
  secondAdmin: TextOrNull,
});
export type DueByHand = Static<typeof DueByHand>;

/**
 * Payouts that go to the bank together. `open` of them are neither paid nor struck off nor returned. `mine`: the viewer
 * made it or entered details that it pays to, and cannot approve it.
 */
export const Batch = Type.Object({
  id: Id,
  madeAt: IsoTime,
  madeBy: Type.String(),
  amount: Dollars,
  count: Type.Integer(),
  open: Type.Integer(),
  approvedBy: TextOrNull,
  needsApproval: Type.Boolean(),
  mine: Type.Boolean(),
  formats: Type.Array(BatchFormat),
});
export type Batch = Static<typeof Batch>;

/**
 * `due` is empty where the shop does not pay by hand (any more): what was begun by hand is finished by hand. At most
 * 500 sellers, those who can be paid first; `sums` are of all.
 */
export const readByHand = endpoint({
  method: 'GET',
  path: '/money/by-hand',
  summary: 'What is to be paid out by hand, and the newest batches',
  access: 'admin',
  status: 200,
  answer: Type.Object({
    way: PayoutWay,
    due: Type.Array(DueByHand),
    batches: Type.Array(Batch),
    formats: Type.Array(BatchFormat),
    /** Less is not paid out. */
    minimum: Dollars,
    sums: Type.Object({ ready: Dollars, waiting: Dollars, onItsWay: Dollars }),
  }),
  personal: true,
});

/** Of those who can be paid; 409 `payouts_refused` where there are none. */
export const makeBatch = endpoint({
  method: 'POST',
  path: '/money/batches',
  summary: 'Puts what sellers are due into a batch to be paid by hand',
  access: 'admin',
  body: Type.Object({ sellerIds: Type.Array(Id, { minItems: 1, maxItems: 500 }) }),
  status: 201,
  answer: Batch,
  refused: { id: null },
  personal: true,
});

/**
 * A payout by hand. `reason` is why it was struck off or sent back; `settledOn` the day on which the bank paid it.
 * `inFile`: it is in the file that was downloaded, so that whoever strikes it off tells the bank, too.
 */
export const HandPayout = Type.Object({
  id: Id,
  sellerId: Id,
  name: Type.String(),
  holder: Type.String(),
  country: Type.String(),
  shown: Type.String(),
  amount: Dollars,
  state: Type.Union([Type.Literal('asked'), Type.Literal('sent'), Type.Literal('refused'), Type.Literal('returned')]),
  reference: TextOrNull,
  settledOn: TextOrNull,
  reason: TextOrNull,
  secondAdmin: TextOrNull,
  inFile: Type.Boolean(),
});
export type HandPayout = Static<typeof HandPayout>;

export const readBatch = endpoint({
  method: 'GET',
  path: '/money/batches/:id',
  summary: 'A batch with its payouts',
  access: 'admin',
  params: IdParams,
  status: 200,
  answer: Type.Object({ ...Batch.properties, payouts: Type.Array(HandPayout) }),
  personal: true,
});

/** 409 `second_admin_needed` for whoever made it, or entered details that it pays to. */
export const approveBatch = endpoint({
  method: 'POST',
  path: '/money/batches/:id/approve',
  summary: 'Approves a batch that needs a second admin',
  access: 'admin, not who made it',
  params: IdParams,
  status: 200,
  answer: Batch,
  refused: { id: null },
  personal: true,
});

/**
 * The same bytes each time, whatever became of its payouts after the first time; each is written down. What was struck
 * off before the first time is not in it. 409 `second_admin_needed` before it is approved.
 */
export const downloadBatch = endpoint({
  method: 'GET',
  path: '/money/batches/:id/file',
  summary: 'The file of a batch for the bank',
  access: 'admin',
  params: IdParams,
  query: Type.Object({ format: BatchFormat }),
  status: 200,
  answer: Type.String(),
  file: { type: 'text/csv; charset=utf-8', name: 'dogear-batch.csv' },
  personal: true,
});

/** 409 `payout_moved` where it is not under way, `second_admin_needed` before its batch is approved. */
export const markPaid = endpoint({
  method: 'POST',
  path: '/money/payouts/:id/paid',
  summary: 'Notes that the bank has paid a payout',
  access: 'admin',
  params: IdParams,
  body: Type.Object({
    reference: Text(140),
    on: Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description: 'the day, such as 2026-11-23' }),
  }),
  status: 200,
  answer: HandPayout,
  refused: { id: null },
  personal: true,
});

/** Its seller is due the money as before. 409 `payout_moved` where it is not under way. */
export const strikeOff = endpoint({
  method: 'POST',
  path: '/money/payouts/:id/struck-off',
  summary: 'Strikes a payout off its batch, as it is not to be paid',
  access: 'admin',
  params: IdParams,
  body: Type.Object({ reason: Reason }),
  status: 200,
  answer: HandPayout,
  refused: { id: null },
  personal: true,
});

/** Its seller is due the money again, and enters their details anew. 409 `payout_moved` where it was not paid. */
export const markReturned = endpoint({
  method: 'POST',
  path: '/money/payouts/:id/returned',
  summary: 'Notes that the bank sent a payout back',
  access: 'admin',
  params: IdParams,
  body: Type.Object({ reason: Reason }),
  status: 200,
  answer: HandPayout,
  refused: { id: null },
  personal: true,
});
