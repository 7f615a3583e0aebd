import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { Dollars, IsoTime } from '#contract/scalars.ts';

/**
 * The few numbers that matter to each role; only the parts of the roles a user has are there.
 * `heldUntil`: when the first of the buyer's holds ends. `unpaid`: bookings that can still be paid for, held ones among
 * them.
 * `earned`: what the sales brought the seller after all fees, in US dollars. `listings`: copies in the shop, available
 * or reserved.
 * `disputeDueBy`: until when the first of the open disputes may be answered. `refundsToDecide`: refunds that the
 * provider refused, and refunded sales whose copy still waits for a decision. `differences`: what stands between our
 * books and the provider's.
 */
export const Summary = Type.Object({
  buyer: Type.Optional(
    Type.Object({
      held: Type.Integer(),
      heldUntil: Type.Union([IsoTime, Type.Null()]),
      unpaid: Type.Integer(),
      paid: Type.Integer(),
    }),
  ),
  seller: Type.Optional(
    Type.Object({
      available: Type.Integer(),
      reserved: Type.Integer(),
      sold: Type.Integer(),
      earned: Dollars,
    }),
  ),
  admin: Type.Optional(
    Type.Object({
      users: Type.Integer(),
      sellersToVerify: Type.Integer(),
      listings: Type.Integer(),
      openDisputes: Type.Integer(),
      disputeDueBy: Type.Union([IsoTime, Type.Null()]),
      refundsToDecide: Type.Integer(),
      differences: Type.Integer(),
      /** Orders whose problem was passed on to the shop, or that nobody has picked up for two weeks. */
      ordersToDecide: Type.Integer(),
      reviewsToDecide: Type.Integer(),
      /** What was reported and waits, with appeals against what another admin decided; since when the oldest waits. */
      reportsToDecide: Type.Integer(),
      reportedSince: Type.Union([IsoTime, Type.Null()]),
      /** Batches of payouts and corrections that another admin made or asked for, and that need a second one. */
      toApprove: Type.Integer(),
    }),
  ),
});
export type Summary = Static<typeof Summary>;

export const readSummary = endpoint({
  method: 'GET',
  path: '/dashboard/summary',
  summary: 'The numbers of the dashboard',
  access: 'anyone signed in',
  status: 200,
  answer: Summary,
  personal: true,
});
