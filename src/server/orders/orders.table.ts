import type { Generated } from 'kysely';
import type { Address } from '#contract/delivery/address.ts';
import type { CameBack, Statement } from '#contract/orders/states.ts';
import type { OrderActor, OrderOutcome, OrderState } from '#contract/orders/move.ts';

export interface OrdersTable {
  /** The checkout that was paid. */
  id: string;
  buyer_id: string;
  seller_id: string;
  delivery: 'pickup' | 'post';
  /** jsonb; only city and country are left once the shop need not know more. */
  address: Address | null;
  is_abroad: Generated<boolean>;
  /** A trader sold it to somebody whose law lets them withdraw. */
  may_withdraw: Generated<boolean>;
  place: Generated<string>;
  postage_cents: Generated<number>;
  days_to_post: Generated<number>;
  state: Generated<OrderState>;
  /** `before`: paid before there were orders. */
  outcome: OrderOutcome | 'before' | null;
  carrier: Generated<string>;
  tracking: Generated<string>;
  pickup_times: Generated<string>;
  pickup_code: string | null;
  code_failures: Generated<number>;
  posted_at: Date | null;
  extended_at: Date | null;
  entered_at: Generated<Date>;
  due_at: Date | null;
  /** Kept while the order is frozen. */
  due_move: string | null;
  frozen_at: Date | null;
  frozen_by: 'dispute' | 'inquiry' | null;
  /** Milliseconds that were left of the deadline. */
  frozen_left_ms: number | null;
  /** Why the parcel came back. */
  came_back: Generated<CameBack | null>;
  created_at: Generated<Date>;
  closed_at: Date | null;
  /** When address, place and phone were taken out of it. */
  forgotten_at: Generated<Date | null>;
}

export interface OrderEventsTable {
  /** bigint: a string on the way out of the driver */
  id: Generated<string>;
  order_id: string;
  /** `before`: it was paid before there were orders. */
  move: string;
  from_state: OrderState | null;
  to_state: OrderState;
  by: OrderActor;
  user_id: string | null;
  reason: Generated<string>;
  at: Generated<Date>;
  /** The book it is about, where it is not all of the order. */
  booking_id: Generated<string | null>;
}

export interface OrderRemindersTable {
  order_id: string;
  kind: string;
  at: Date;
}

/** One row: when the shop last looked after its orders. */
export interface OrderHeartbeatTable {
  one: Generated<boolean>;
  at: Generated<Date>;
}

export interface OrderProblemsTable {
  order_id: string;
  booking_id: string | null;
  kind: 'missing' | 'not-as-described' | 'damaged' | 'withdrawal';
  /** What is not as described. */
  statement: Generated<Statement | null>;
  words: string;
  offer_cents: number | null;
  /** How its seller wants it back: a label or words, and the address; null unless asked back, and once forgotten. */
  send_back: Generated<string | null>;
  opened_at: Generated<Date>;
}
