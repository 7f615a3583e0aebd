import type { Generated } from 'kysely';
import type { WebhookDelivery, WebhookEvent } from '#contract/programs/webhooks.ts';

/** Where programs of sellers are told of what was sold. */
export interface SellerWebhooksTable {
  id: Generated<string>;
  seller_id: string;
  url: string;
  events: WebhookEvent[];
  secret: Buffer;
  created_at: Generated<Date>;
}

/** What was told to an address, or is to be. */
export interface WebhookDeliveriesTable {
  id: Generated<string>;
  webhook_id: string;
  event: string;
  order_id: string | null;
  listing_id: string | null;
  at: Generated<Date>;
  state: Generated<WebhookDelivery['state']>;
  attempts: Generated<number>;
  until: Generated<Date>;
  next_at: Generated<Date>;
  status: number | null;
  problem: Generated<string>;
}
