import { randomUUID } from 'node:crypto';
import { PASSWORD } from '#test/make.ts';
import { row, type Row, type Sent } from './row.ts';

const nothing = undefined;
const somebody = randomUUID();
const ofNobody = (): Sent => ({ params: { id: somebody } });

/** Paying by hand: what an admin does there is the same for all, and there are no batches yet. */
export const BY_HAND_ROWS: readonly Row[] = [
  //                                                none  buyer seller admin other
  // The shop of the matrix pays by Connect.
  row('GET /api/payouts/details', /*             */ [401, 403, 404, 403, 404], { other: 'seller' }),
  row('PUT /api/payouts/details', /*             */ [401, 403, 404, 403, 404], {
    other: 'seller',
    send: () => ({
      body: { kind: 'iban', holder: 'Sam', country: 'DE', iban: 'DE89370400440532013000', password: PASSWORD },
    }),
  }),
  row('GET /api/money/by-hand', /*               */ [401, 403, 403, 200, nothing]),
  row('POST /api/money/batches', /*              */ [401, 403, 403, 409, nothing], {
    send: () => ({ body: { sellerIds: [somebody] } }),
  }),
  row('GET /api/money/batches/:id', /*           */ [401, 403, 403, 404, nothing], { send: ofNobody }),
  row('POST /api/money/batches/:id/approve', /*  */ [401, 403, 403, 404, nothing], { send: ofNobody }),
  row('GET /api/money/batches/:id/file', /*      */ [401, 403, 403, 404, nothing], {
    send: () => ({ ...ofNobody(), query: { format: 'csv' } }),
  }),
  row('POST /api/money/payouts/:id/paid', /*     */ [401, 403, 403, 404, nothing], {
    send: () => ({ ...ofNobody(), body: { reference: 'R1', on: '2026-11-23' } }),
  }),
  row('POST /api/money/payouts/:id/struck-off', [401, 403, 403, 404, nothing], {
    send: () => ({ ...ofNobody(), body: { reason: 'Wrong name' } }),
  }),
  row('POST /api/money/payouts/:id/returned', /* */ [401, 403, 403, 404, nothing], {
    send: () => ({ ...ofNobody(), body: { reason: 'No such account' } }),
  }),
  row('GET /api/money/adjustments', /*           */ [401, 403, 403, 200, nothing]),
  row('POST /api/money/adjustments', /*          */ [401, 403, 403, 201, nothing], {
    send: ({ scene }) => ({
      body: { sellerId: scene.seller.id, amount: '-1.00', account: 'commission', reason: 'A trial' },
    }),
  }),
  row('POST /api/money/adjustments/:id/approve', [401, 403, 403, 404, nothing], { send: ofNobody }),
  row('POST /api/money/adjustments/:id/decline', [401, 403, 403, 404, nothing], { send: ofNobody }),
];
