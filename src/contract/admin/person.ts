import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { Dollars, Id, IsoTime } from '#contract/scalars.ts';
import { Identity, SoldInAYear } from '#contract/law/identity.ts';
import { SellsAsName } from '#contract/law/imprint.ts';
import { ListedUser } from './admin.ts';
import { Suspension } from './suspending.ts';

const Other = Type.Object({ _id: Id, name: Type.String() });
const Counted = Type.Integer();

/** Orders, reports and sign-ins that are told, the newest first. */
export const MOST_OF_PERSON = 20;

/**
 * What admins know of somebody. `emailProven`: whether the address is theirs. `signIns` are sessions that have not
 * ended. `sameBank`: others whose payouts go to the same account of a bank; `sameCard`: others who paid with the same
 * card. `sellsAs`, `business`: what they declared. `identity`, `year`: whether the shop must know who they are, and how
 * much they sold within twelve months.
 */
export const Person = Type.Object({
  user: ListedUser,
  sellerSlug: Type.String(),
  emailProven: Type.Boolean(),
  suspension: Type.Union([Suspension, Type.Null()]),
  listings: Type.Object({ onShelf: Counted, paused: Counted, sold: Counted, removed: Counted }),
  bought: Type.Object({ orders: Counted, open: Counted, paid: Dollars, refunded: Dollars, disputes: Counted }),
  sold: Type.Object({ orders: Counted, open: Counted, taken: Dollars, due: Dollars, disputes: Counted }),
  reports: Type.Object({ about: Counted, upheld: Counted, by: Counted }),
  orders: Type.Array(
    Type.Object({
      _id: Id,
      side: Type.Union([Type.Literal('buyer'), Type.Literal('seller')]),
      other: Type.String(),
      title: Type.String(),
      state: Type.String(),
      at: IsoTime,
    }),
  ),
  signIns: Type.Array(Type.Object({ device: Type.String(), since: IsoTime, usedAt: IsoTime })),
  sameBank: Type.Array(Other),
  sameCard: Type.Array(Type.Object({ ...Other.properties, last4: Type.String() })),
  sellsAs: SellsAsName,
  business: Type.String(),
  identity: Identity,
  year: SoldInAYear,
});
export type Person = Static<typeof Person>;

/** 404 for somebody unknown or deleted. */
export const readPerson = endpoint({
  method: 'GET',
  path: '/users/:id/person',
  summary: 'What admins know of a user: orders, listings, money, reports and sign-ins',
  access: 'admin',
  params: Type.Object({ id: Id }),
  status: 200,
  answer: Person,
  personal: true,
});
