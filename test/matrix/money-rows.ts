import { becoming } from '#server/catalog/listings/listing.queries.ts';
import { row, type Cell, type Row, type Sent } from './row.ts';
import { aFreshCopy } from './scene.ts';
import { nothing, somebody, ofUser } from './sent.ts';

const ofDeletedUser = async (cell: Cell): Promise<Sent> => {
  const sent = await ofUser(cell);
  await cell.t.db
    .updateTable('users')
    .set({ deleted_at: new Date() })
    .where('id', '=', sent.params?.['id'] ?? '')
    .execute();
  return sent;
};
const ofDeletedCopy = async ({ t, scene }: Cell): Promise<Sent> => {
  const { _id: id } = await aFreshCopy(t, scene);
  await t.db.updateTable('listings').set(becoming('withdrawn')).where('id', '=', id).execute();
  return { params: { id } };
};
/** What admins do about money and what was deleted, and what the payment provider tells. */
export const MONEY_ROWS: readonly Row[] = [
  //                                                none  buyer seller admin other
  row('GET /api/money', /*                       */ [401, 403, 403, 200, nothing]),
  row('POST /api/money/setup-check', /*          */ [401, 403, 403, 200, nothing]),
  row('GET /api/money/payments', /*              */ [401, 403, 403, 200, nothing]),
  row('GET /api/audit', /*                       */ [401, 403, 403, 200, nothing]),
  row('GET /api/audit.csv', /*                   */ [401, 403, 403, 200, nothing]),
  row('GET /api/deleted/users', /*               */ [401, 403, 403, 200, nothing]),
  row('GET /api/deleted/listings', /*            */ [401, 403, 403, 200, nothing]),
  row('POST /api/deleted/users/:id/restore', /*  */ [401, 403, 403, 200, nothing], { send: ofDeletedUser }),
  row('POST /api/deleted/listings/:id/restore', [401, 403, 403, 200, nothing], { send: ofDeletedCopy }),
  // The buyer and the seller are those of the sale.
  row('POST /api/bookings/:id/refund', /*        */ [401, 403, 403, 200, nothing], {
    send: ({ scene }) => ({ params: { id: scene.paidBooking } }),
  }),
  // Only money that came for a lost copy has a refund of the shop's own, and there is none.
  row('POST /api/money/payments/:id/refund', /*  */ [401, 403, 403, 404, nothing], {
    send: () => ({ params: { id: somebody } }),
  }),
  row('POST /api/money/payments/:id/paid-otherwise', [401, 403, 403, 404, nothing], {
    send: () => ({ params: { id: somebody }, body: { reference: 'Wire 7' } }),
  }),
  row('PUT /api/categories/:id/relist', /*       */ [401, 403, 403, 200, nothing], {
    send: ({ scene }) => ({ params: { id: scene.refundedCopies.toRelist } }),
  }),
  row('PUT /api/categories/:id/withdraw', /*     */ [401, 403, 403, 200, nothing], {
    send: ({ scene }) => ({ params: { id: scene.refundedCopies.toWithdraw } }),
  }),

  row('GET /api/payment-setup', /*               */ [200, 200, 200, 200, 200]),
  // Signed by the payment provider, whoever calls.
  row('POST /api/webhooks/stripe', /*            */ [400, 400, 400, 400, 400], {
    send: () => ({ body: { id: `evt_${somebody}` }, headers: { 'stripe-signature': 't=1,v1=00' } }),
  }),
];
