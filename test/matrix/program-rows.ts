import { randomBytes, randomUUID } from 'node:crypto';
import { row, type Cell, type Row, type Sent } from './row.ts';

/** An address of the seller's, and what it was told. */
const aWebhook = async ({ t, scene }: Cell): Promise<Sent> => {
  const [id, deliveryId] = [randomUUID(), randomUUID()];
  const url = 'https://books.example/';
  await t.db
    .insertInto('seller_webhooks')
    .values({ id, seller_id: scene.seller.id, url, events: ['order.paid'], secret: randomBytes(32) })
    .execute();
  const told = { id: deliveryId, webhook_id: id, event: 'webhook.test', order_id: null, listing_id: null, status: 200 };
  await t.db
    .insertInto('webhook_deliveries')
    .values({ ...told, state: 'delivered' })
    .execute();
  return { params: { id, deliveryId } };
};

/** What programs of sellers read, and where they are told. */
export const PROGRAM_ROWS: readonly Row[] = [
  //                                                             none  buyer seller admin other
  row('GET /api/sales', /*                                     */ [401, 403, 200, 403, 200], { other: 'seller' }),
  row('GET /api/webhooks', /*                                  */ [401, 403, 200, 403, 200], { other: 'seller' }),
  row('POST /api/webhooks', /*                                 */ [401, 403, 201, 403, 201], {
    other: 'seller',
    send: () => ({ body: { url: 'https://books.example/told', events: ['order.paid'] } }),
  }),
  row('DELETE /api/webhooks/:id', /*                           */ [401, 403, 200, 403, 200], {
    other: 'seller',
    send: () => ({ params: { id: randomUUID() } }),
  }),
  row('POST /api/webhooks/:id/test', /*                        */ [401, 403, 200, 403, 404], {
    other: 'seller',
    send: aWebhook,
  }),
  row('GET /api/webhooks/:id/deliveries', /*                   */ [401, 403, 200, 403, 404], {
    other: 'seller',
    send: aWebhook,
  }),
  row('POST /api/webhooks/:id/deliveries/:deliveryId/resend', /* */ [401, 403, 200, 403, 404], {
    other: 'seller',
    send: aWebhook,
  }),
];
