import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { Id, IsoTime, PageQuery, Text } from '#contract/scalars.ts';

/** What a seller's program is told of. */
export const WEBHOOK_EVENTS = ['order.paid', 'copy.sold', 'order.cancelled'] as const;
export const WebhookEvent = Type.Union([
  Type.Literal('order.paid'),
  Type.Literal('copy.sold'),
  Type.Literal('order.cancelled'),
]);
export type WebhookEvent = Static<typeof WebhookEvent>;

/** So many addresses a seller may have told. */
export const MAX_WEBHOOKS = 5;
/** It is tried again for so many days. */
export const WEBHOOK_DAYS = 3;
/** A program has so many seconds to answer. */
export const WEBHOOK_SECONDS = 5;
/** Deliveries are kept for so many days. */
export const DELIVERY_DAYS = 30;

export const Webhook = Type.Object({
  _id: Id,
  url: Type.String(),
  events: Type.Array(WebhookEvent),
  createdAt: IsoTime,
});
export type Webhook = Static<typeof Webhook>;

/**
 * What was told to an address, or is to be. `status`: what it answered last, null for nothing; `problem` says why it
 * failed, `""` for nothing. `nextAt`: when it is tried again.
 */
export const WebhookDelivery = Type.Object({
  _id: Id,
  event: Type.String(),
  state: Type.Union([Type.Literal('waiting'), Type.Literal('delivered'), Type.Literal('given-up')]),
  attempts: Type.Integer(),
  status: Type.Union([Type.Integer(), Type.Null()]),
  problem: Type.String(),
  at: IsoTime,
  nextAt: Type.Union([IsoTime, Type.Null()]),
});
export type WebhookDelivery = Static<typeof WebhookDelivery>;

const params = Type.Object({ id: Id });

export const listWebhooks = endpoint({
  method: 'GET',
  path: '/webhooks',
  summary: 'Where the seller’s programs are told',
  access: 'seller',
  status: 200,
  answer: Type.Object({ webhooks: Type.Array(Webhook) }),
  refused: { webhooks: [] },
  personal: true,
});

/**
 * Has an https address told of events, each signed as Standard Webhooks says with a secret that is answered this once:
 * `whsec_…`. 403 `fresh_sign_in_needed` where the sign-in is older than 15 minutes, 429 beyond five.
 */
export const addWebhook = endpoint({
  method: 'POST',
  path: '/webhooks',
  summary: 'Has an address told of events',
  access: 'seller who signed in within 15 minutes',
  body: Type.Object({ url: Text(2_048), events: Type.Array(WebhookEvent, { minItems: 1, maxItems: 3 }) }),
  status: 201,
  answer: Type.Object({ secret: Type.String(), added: Webhook }),
  refused: { secret: '' },
  personal: true,
});

/** 0 where it is none of the seller's, or is gone already. */
export const removeWebhook = endpoint({
  method: 'DELETE',
  path: '/webhooks/:id',
  summary: 'Tells an address nothing more',
  access: 'seller',
  params,
  status: 200,
  answer: Type.Object({ deletedCount: Type.Integer() }),
  refused: { deletedCount: 0 },
  personal: true,
});

/** Sends `webhook.test`, so that its receiver can be tried. */
export const testWebhook = endpoint({
  method: 'POST',
  path: '/webhooks/:id/test',
  summary: 'Tells an address of a test',
  access: 'its seller',
  params,
  status: 200,
  answer: WebhookDelivery,
  refused: { _id: null },
  personal: true,
});

export const listDeliveries = endpoint({
  method: 'GET',
  path: '/webhooks/:id/deliveries',
  summary: 'What an address was told in the last 30 days, the newest first',
  access: 'its seller',
  params,
  query: Type.Object(PageQuery),
  status: 200,
  answer: Type.Array(WebhookDelivery),
  personal: true,
});

/** Tells it once more, under the same `webhook-id`. */
export const resendDelivery = endpoint({
  method: 'POST',
  path: '/webhooks/:id/deliveries/:deliveryId/resend',
  summary: 'Tells an address of an event once more',
  access: 'its seller',
  params: Type.Object({ id: Id, deliveryId: Id }),
  status: 200,
  answer: WebhookDelivery,
  refused: { _id: null },
  personal: true,
});
