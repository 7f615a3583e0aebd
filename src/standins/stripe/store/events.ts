import type Stripe from 'stripe';
import type { Call, Deed } from '#standins/stripe/api/call.ts';
import { noSuch } from '#standins/stripe/api/failure.ts';
import { newId, nowSeconds, randomText } from '#standins/stripe/api/ids.ts';
import { STRIPE_API_VERSION } from '#standins/stripe/keys.ts';
import { listPage } from '#standins/stripe/api/lists.ts';
import { list, text } from '#standins/stripe/api/params.ts';
import type { Trx } from './store.ts';

/** The events the stand-in tells about. */
export type EventType =
  | 'account.external_account.updated'
  | 'charge.dispute.closed'
  | 'charge.dispute.created'
  | 'charge.dispute.funds_reinstated'
  | 'charge.dispute.funds_withdrawn'
  | 'charge.dispute.updated'
  | 'charge.failed'
  | 'charge.refunded'
  | 'charge.succeeded'
  | 'payment_intent.canceled'
  | 'payment_intent.created'
  | 'payment_intent.payment_failed'
  | 'payment_intent.processing'
  | 'payment_intent.requires_action'
  | 'payment_intent.succeeded'
  | 'refund.created'
  | 'payout.created'
  | 'payout.failed'
  | 'payout.paid'
  | 'payout.updated'
  | 'refund.failed'
  | 'refund.updated'
  | 'transfer.created'
  | 'transfer.reversed';

/** What the second version of the API tells of accounts. */
export type NoticeType =
  | 'v2.core.account.closed'
  | 'v2.core.account.created'
  | 'v2.core.account[configuration.recipient].capability_status_updated'
  | 'v2.core.account[requirements].updated';

/**
 * Stores an event with the object as it is now, and one delivery for each webhook address. `account` is the connected
 * account it happened to; absent for the shop's own.
 */
export function emit(call: Deed, type: EventType, object: object, account?: string): void {
  const event: Stripe.EventBase = {
    id: newId('evt'),
    object: 'event',
    ...(account !== undefined && { account }),
    api_version: STRIPE_API_VERSION,
    created: nowSeconds(),
    data: { object },
    livemode: false,
    pending_webhooks: call.endpoints,
    request: { id: call.requestId, idempotency_key: call.idempotencyKey },
    type,
  };
  call.trx.put('events', event.id, event);
  deliverLater(call, event.id);
}

/** The same of an account in the second version of the API, which says no more than which one. */
export function emitNotice(call: Deed, type: NoticeType, accountId: string): void {
  const id = `evt_test_${randomText(40)}`;
  const url = `/v2/core/accounts/${accountId}`;
  call.trx.put('notices', id, {
    id,
    object: 'v2.core.event',
    context: accountId,
    created: new Date().toISOString(),
    livemode: false,
    reason: null,
    related_object: { id: accountId, type: 'v2.core.account', url },
    type,
  });
  deliverLater(call, id);
}

/** An event of either version; of connected accounts where `isConnect`, which another secret signs. */
export function eventIn(store: Pick<Trx, 'get'>, id: string) {
  const event = store.get('events', id);
  if (event !== undefined) return { event, type: event.type, isConnect: event.account !== undefined };
  const notice = store.get('notices', id);
  return notice === undefined ? undefined : { event: notice, type: notice.type, isConnect: true };
}

function deliverLater(call: Deed, eventId: string): void {
  for (let endpoint = 0; endpoint < call.endpoints; endpoint += 1) {
    const id = newId('wd');
    call.trx.put('deliveries', id, { eventId, endpoint, attempts: 0, dueAtMs: Date.now() });
    call.deliveries.push(id);
  }
}

export function retrieveEvent({ trx, id }: Call): object {
  const event = trx.get('events', id);
  if (event === undefined) throw noSuch('event', id);
  return { ...event, pending_webhooks: pendingByEvent(trx).get(id) ?? 0 };
}

export function listEvents({ trx, params }: Call): object {
  const types = [text(params, 'type') ?? [], list(params, 'types')].flat();
  const wanted = trx
    .newestFirst('events')
    .filter((event) => types.length === 0 || types.some((type) => matches(type, event.type)));
  const pending = pendingByEvent(trx);
  const page = listPage(wanted, params, '/v1/events', 'event');
  return { ...page, data: page.data.map((event) => ({ ...event, pending_webhooks: pending.get(event.id) ?? 0 })) };
}

/** Stripe takes `payment_intent.*` for a whole group. */
function matches(wanted: string, type: string): boolean {
  return wanted.endsWith('.*') ? type.startsWith(wanted.slice(0, -1)) : wanted === type;
}

function pendingByEvent(trx: Trx): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { eventId } of trx.newestFirst('deliveries')) counts.set(eventId, (counts.get(eventId) ?? 0) + 1);
  return counts;
}
