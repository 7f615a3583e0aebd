import { Type, type Static } from 'typebox';
import { Reason } from '#contract/admin/reason.ts';
import { endpoint } from '#contract/endpoint.ts';
import { Dollars, Id, IsoTime } from '#contract/scalars.ts';

/**
 * From how many books and for how much, in US dollars, within twelve months a shop must know who a seller is, and how
 * many days they have to show it: then payouts wait (the numbers of the INFORM Consumers Act, 15 USC 45f).
 */
export const IDENTITY_FROM = { sales: 200, dollars: 5_000, days: 10 } as const;

/**
 * Whether the shop knows who a seller is. `none`: it need not. `asked`: they are to show it until `by`. `paused`:
 * payouts wait for it. `reason`: what was looked at.
 */
export const Identity = Type.Object({
  state: Type.Union([Type.Literal('none'), Type.Literal('asked'), Type.Literal('paused'), Type.Literal('confirmed')]),
  by: Type.Union([IsoTime, Type.Null()]),
  confirmedAt: Type.Union([IsoTime, Type.Null()]),
  reason: Type.String(),
});
export type Identity = Static<typeof Identity>;

/** What a seller sold within the last twelve months: books, and for how much. */
export const SoldInAYear = Type.Object({ sales: Type.Integer(), taken: Dollars });

export const readOwnIdentity = endpoint({
  method: 'GET',
  path: '/identity',
  summary: 'Whether the shop must know who the viewer is, and does',
  access: 'seller',
  status: 200,
  answer: Identity,
  refused: { state: null },
  personal: true,
});

/** 0 when it was confirmed before; who does not sell is 409 `not_a_seller`, an unknown or deleted user 404. */
export const confirmIdentity = endpoint({
  method: 'PUT',
  path: '/users/:id/identity',
  summary: 'Says that the shop knows who a seller is, and what was looked at',
  access: 'admin',
  params: Type.Object({ id: Id }),
  body: Type.Object({ reason: Reason }),
  status: 200,
  answer: Type.Object({ modifiedCount: Type.Integer() }),
  refused: { modifiedCount: 0 },
  personal: true,
});
