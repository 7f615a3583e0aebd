import { Type, type Static } from 'typebox';
import { Reason } from '#contract/admin/reason.ts';
import { endpoint } from '#contract/endpoint.ts';
import { Dollars, Id, IsoTime, PageQuery } from '#contract/scalars.ts';

const IdParams = Type.Object({ id: Id });

/** What bears an adjustment: what refunds cost the shop, or what it earned. Never money at the provider or the bank. */
export const AdjustmentAccount = Type.Union([Type.Literal('refund-costs'), Type.Literal('commission')]);
export type AdjustmentAccount = Static<typeof AdjustmentAccount>;

/**
 * A correction of what a seller is due: `amount` above zero is theirs more. `mine`: the viewer asked for it or it is
 * about them, and cannot approve it.
 */
export const Adjustment = Type.Object({
  id: Id,
  sellerId: Id,
  name: Type.String(),
  amount: Dollars,
  account: AdjustmentAccount,
  reason: Type.String(),
  askedBy: Type.String(),
  askedAt: IsoTime,
  state: Type.Union([Type.Literal('asked'), Type.Literal('booked'), Type.Literal('declined')]),
  decidedBy: Type.Union([Type.String(), Type.Null()]),
  mine: Type.Boolean(),
});
export type Adjustment = Static<typeof Adjustment>;

export const listAdjustments = endpoint({
  method: 'GET',
  path: '/money/adjustments',
  summary: 'Corrections of what sellers are due, newest first',
  access: 'admin',
  query: Type.Object(PageQuery),
  status: 200,
  answer: Type.Array(Adjustment),
  personal: true,
});

/** At most $99,999.99 either way; `amount` is dollars, below zero where the seller owes more. 404 for no seller. */
export const askAdjustment = endpoint({
  method: 'POST',
  path: '/money/adjustments',
  summary: 'Asks for a correction of what a seller is due',
  access: 'admin',
  body: Type.Object({
    sellerId: Id,
    amount: Type.Union([Type.Number(), Type.String({ maxLength: 20 })], {
      description: 'US dollars, a number or a decimal string, at most two decimals, with a minus sign where below zero',
    }),
    account: AdjustmentAccount,
    reason: Reason,
  }),
  status: 201,
  answer: Adjustment,
  refused: { id: null },
  personal: true,
});

/** 409 `second_admin_needed` for whoever asked for it, `payout_moved` where it was decided before. */
export const approveAdjustment = endpoint({
  method: 'POST',
  path: '/money/adjustments/:id/approve',
  summary: 'Books a correction that another admin asked for',
  access: 'admin, not who asked for it',
  params: IdParams,
  status: 200,
  answer: Adjustment,
  refused: { id: null },
  personal: true,
});

/** Also by who asked for it. */
export const declineAdjustment = endpoint({
  method: 'POST',
  path: '/money/adjustments/:id/decline',
  summary: 'Declines a correction that was asked for',
  access: 'admin',
  params: IdParams,
  status: 200,
  answer: Adjustment,
  refused: { id: null },
  personal: true,
});
