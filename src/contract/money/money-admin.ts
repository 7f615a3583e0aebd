import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { Reference } from '#contract/money/references.ts';
import { Dollars, Id, IsoTime, SortedPageQuery } from '#contract/scalars.ts';

/** Something that must never be otherwise, and in how many places it is. */
export const Invariant = Type.Object({ id: Type.String(), says: Type.String(), violations: Type.Integer() });
export type Invariant = Static<typeof Invariant>;

/**
 * A comparison of the books with the provider: how many intents it looked at, how many it settled, how many differences
 * it found.
 */
export const ReconcileRun = Type.Object({
  endedAt: IsoTime,
  lookedAt: Type.Integer(),
  settled: Type.Integer(),
  differences: Type.Integer(),
});

export const DisputeShown = Type.Object({
  _id: Type.String(),
  bookingId: Id,
  /** The provider's id of the payment. */
  transactionId: Type.String(),
  title: Type.String(),
  buyer: Type.String(),
  amount: Dollars,
  reason: Type.String(),
  state: Type.Union([Type.Literal('open'), Type.Literal('won'), Type.Literal('lost')]),
  openedAt: IsoTime,
  closedAt: Type.Union([IsoTime, Type.Null()]),
  /** The bank only asks: it has taken no money, and giving it all back ends it. */
  inquiry: Type.Boolean(),
  /** Until when the shop may answer it, where the provider says so. */
  dueBy: Type.Union([IsoTime, Type.Null()]),
});
export type DisputeShown = Static<typeof DisputeShown>;

/** What does not, or did not, add up between our books and the provider's. `subject` is the provider's id of it. */
export const DifferenceShown = Type.Object({
  _id: Type.String(),
  kind: Type.String(),
  subject: Type.String(),
  says: Type.String(),
  times: Type.Integer(),
  foundAt: IsoTime,
  mendedAt: Type.Union([IsoTime, Type.Null()]),
});
export type DifferenceShown = Static<typeof DifferenceShown>;

/**
 * An order that does not go on as orders do: both sides passed a problem on (`asked`), nobody has picked it up for two
 * weeks (`uncollected`), or a bank decides about its payment (`frozen`). `due`: when it ends by itself.
 */
export const OrderToDecide = Type.Object({
  _id: Id,
  title: Type.String(),
  buyer: Type.String(),
  seller: Type.String(),
  why: Type.Union([Type.Literal('asked'), Type.Literal('uncollected'), Type.Literal('frozen')]),
  since: IsoTime,
  due: Type.Union([IsoTime, Type.Null()]),
});
export type OrderToDecide = Static<typeof OrderToDecide>;

/**
 * The state of the shop's money. `balances` in dollars, above zero where the shop holds or lost it, below where it owes
 * or earned it; together zero.
 */
export const MoneyState = Type.Object({
  invariants: Type.Array(Invariant),
  violations: Type.Integer(),
  balances: Type.Array(Type.Object({ account: Type.String(), says: Type.String(), amount: Dollars })),
  reconciled: Type.Object({
    unpaid: Type.Union([ReconcileRun, Type.Null()]),
    all: Type.Union([ReconcileRun, Type.Null()]),
  }),
  mail: Type.Object({
    unsent: Type.Integer(),
    oldestUnsentAt: Type.Union([IsoTime, Type.Null()]),
    dead: Type.Integer(),
  }),
  openRefunds: Type.Integer(),
  disputes: Type.Array(DisputeShown),
  differences: Type.Array(DifferenceShown),
  /** The first to end by itself first. */
  orders: Type.Array(OrderToDecide),
});
export type MoneyState = Static<typeof MoneyState>;

export const readMoneyState = endpoint({
  method: 'GET',
  path: '/money',
  summary: "The state of the shop's money",
  access: 'admin',
  status: 200,
  answer: MoneyState,
  personal: true,
});

/**
 * A payment as admins see it. `paid` can be refunded; `refunding` was asked for and is not confirmed; `refused` could
 * not be given back; `disputed` cannot be refunded; `returned` came for a lost copy and goes back, `return-refused` was
 * to and could not. `copy` is where its copy stands now.
 */
export const PaymentShown = Type.Object({
  _id: Id,
  bookingId: Id,
  listingId: Id,
  title: Type.String(),
  buyer: Type.String(),
  seller: Type.String(),
  amount: Dollars,
  refunded: Dollars,
  transactionId: Type.String(),
  at: IsoTime,
  state: Type.Union([
    Type.Literal('paid'),
    Type.Literal('refunding'),
    Type.Literal('refunded'),
    Type.Literal('refused'),
    Type.Literal('disputed'),
    Type.Literal('returned'),
    Type.Literal('return-refused'),
  ]),
  copy: Type.Union([
    Type.Literal('available'),
    Type.Literal('paused'),
    Type.Literal('held'),
    Type.Literal('sold'),
    Type.Literal('withdrawn'),
  ]),
  /** Whether an admin has still to decide what becomes of the copy of a refunded sale. */
  undecided: Type.Boolean(),
});
export type PaymentShown = Static<typeof PaymentShown>;

export const PaymentsSort = Type.Union([
  Type.Literal('newest'),
  Type.Literal('oldest'),
  Type.Literal('amount-up'),
  Type.Literal('amount-down'),
]);
export type PaymentsSort = Static<typeof PaymentsSort>;

/** The newest first unless `sort` says otherwise. */
export const listPayments = endpoint({
  method: 'GET',
  path: '/money/payments',
  summary: 'Payments',
  access: 'admin',
  query: Type.Object({ sort: Type.Optional(PaymentsSort), ...SortedPageQuery }),
  status: 200,
  answer: Type.Array(PaymentShown),
  personal: true,
});

/**
 * Gives the money of a paid booking back in full, once however often it is asked; the copy stays sold until it is
 * relisted or withdrawn. 409 `not_paid`, `disputed` or `refund_refused`; 502 when the provider does not answer, and the
 * shop finishes it by itself.
 */
export const refundBooking = endpoint({
  method: 'POST',
  path: '/bookings/:id/refund',
  summary: 'Refunds a paid booking',
  access: 'admin',
  params: Type.Object({ id: Id }),
  status: 200,
  answer: Type.Object({ refundedAt: IsoTime }),
  refused: { refundedAt: null },
  personal: true,
});

/**
 * Tries again to give back a payment that came for a lost copy, after the provider refused; once, however often it is
 * asked. 409 `not_paid` where no refund was begun, `disputed` or `refund_refused`; 502 as for `refundBooking`.
 */
export const retryRefund = endpoint({
  method: 'POST',
  path: '/money/payments/:id/refund',
  summary: 'Tries a refused refund again',
  access: 'admin',
  params: Type.Object({ id: Id }),
  status: 200,
  answer: Type.Object({ refundedAt: IsoTime }),
  refused: { refundedAt: null },
  personal: true,
});

/**
 * Takes down that what the provider could not give back of a payment was paid to its buyer in another way, who is told;
 * once, however often it is told. 409 `not_paid` where no refund of it has failed, `disputed` where a bank decides.
 */
export const payOtherwise = endpoint({
  method: 'POST',
  path: '/money/payments/:id/paid-otherwise',
  summary: 'Says that a failed refund was paid in another way',
  access: 'admin',
  params: Type.Object({ id: Id }),
  body: Type.Object({ reference: Reference }),
  status: 200,
  answer: Type.Object({ refundedAt: IsoTime }),
  refused: { refundedAt: null },
  personal: true,
});
