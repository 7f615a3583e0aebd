import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { Dollars, Id, IsoTime, PageQuery } from '#contract/scalars.ts';

/** What the payment provider wants to know before, or to go on, paying somebody. */
export const PayoutRequirement = Type.Object({
  /** In the provider's words. */
  what: Type.String(),
  /** What is wrong with what was given; empty where nothing was. */
  problem: Type.String(),
  dueBy: Type.Union([IsoTime, Type.Null()]),
  /** Whether it is the seller's to do; else the provider is looking at it. */
  isYours: Type.Boolean(),
});
export type PayoutRequirement = Static<typeof PayoutRequirement>;

/** What the provider sent from the seller's account there to their bank; `says` explains it in a sentence. */
export const BankPayout = Type.Object({
  _id: Type.String(),
  amount: Dollars,
  status: Type.Union([
    Type.Literal('pending'),
    Type.Literal('in_transit'),
    Type.Literal('paid'),
    Type.Literal('failed'),
    Type.Literal('canceled'),
  ]),
  arrivesAt: Type.Union([IsoTime, Type.Null()]),
  says: Type.String(),
});
export type BankPayout = Static<typeof BankPayout>;

/** How a shop pays sellers: by the payment provider, by hand (`by-hand.ts`), or not at all. */
export const PayoutWay = Type.Union([Type.Literal('connect'), Type.Literal('manual'), Type.Literal('none')]);
export type PayoutWay = Static<typeof PayoutWay>;

/**
 * Where a seller is paid. `none`: they have not begun; `pending`: details are missing or looked at; `active`: they are
 * paid by themselves; `restricted`: they were, and are not until they have given what is asked for. `says` is what it
 * means in a sentence; `due` is below zero where they owe.
 */
export const PayoutAccount = Type.Object({
  way: PayoutWay,
  status: Type.Union([
    Type.Literal('none'),
    Type.Literal('pending'),
    Type.Literal('active'),
    Type.Literal('restricted'),
  ]),
  says: Type.String(),
  country: Type.Union([Type.String(), Type.Null()]),
  requirements: Type.Array(PayoutRequirement),
  pending: Dollars,
  due: Dollars,
  onItsWay: Dollars,
  bankPayouts: Type.Array(BankPayout),
});
export type PayoutAccount = Static<typeof PayoutAccount>;

/** The provider is asked for what is not ready: coming back from its pages proves nothing. */
export const readPayoutAccount = endpoint({
  method: 'GET',
  path: '/payouts/account',
  summary: 'Where the seller is paid, and what is missing',
  access: 'seller',
  status: 200,
  answer: PayoutAccount,
  personal: true,
});

/**
 * The address of the provider's pages that ask for what is missing; it works once and for some minutes, and leads back
 * to `/dashboard/payouts`. Makes the account where there is none, in `country` (two letters, `US` where absent), which
 * stays. 409 `payouts_refused` with the provider's words where it will not.
 */
export const linkPayoutAccount = endpoint({
  method: 'POST',
  path: '/payouts/account/link',
  summary: 'Begins, or goes on, telling the provider where to pay the seller',
  access: 'seller',
  body: Type.Object({ country: Type.Optional(Type.String({ maxLength: 2, description: 'ISO 3166-1 alpha-2' })) }),
  optionalBody: true,
  status: 200,
  answer: Type.Object({ url: Type.String() }),
  refused: { url: '' },
  personal: true,
});

/** The address of the seller's own pages at the provider; it works once. 404 where they have no account. */
export const openPayoutAccount = endpoint({
  method: 'POST',
  path: '/payouts/account/login',
  summary: "Opens the seller's own pages at the provider",
  access: 'seller',
  status: 200,
  answer: Type.Object({ url: Type.String() }),
  refused: { url: '' },
  personal: true,
});

/** A payout: `asked` and not confirmed, `sent`, `refused` and due as before, or `returned` by the bank. */
export const PayoutShown = Type.Object({
  _id: Id,
  /** Null where it is of no order. */
  orderId: Type.Union([Id, Type.Null()]),
  title: Type.String(),
  amount: Dollars,
  /** What of it was taken back since. */
  reversed: Dollars,
  state: Type.Union([Type.Literal('asked'), Type.Literal('sent'), Type.Literal('refused'), Type.Literal('returned')]),
  says: Type.String(),
  at: IsoTime,
});
export type PayoutShown = Static<typeof PayoutShown>;

export const listPayouts = endpoint({
  method: 'GET',
  path: '/payouts',
  summary: "The seller's payouts, newest first",
  access: 'seller',
  query: Type.Object(PageQuery),
  status: 200,
  answer: Type.Array(PayoutShown),
  personal: true,
});
