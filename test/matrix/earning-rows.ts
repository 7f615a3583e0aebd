import { row, type Row } from './row.ts';
import type { Scene } from './scene.ts';

const toSeller = (what: (scene: Scene) => string): Row['shows'] => ({ what, to: ['seller'] });
/** What sellers earn and are paid. */
export const EARNING_ROWS: readonly Row[] = [
  //                                                none  buyer seller admin other
  row('GET /api/selling-terms', /*              */ [200, 200, 200, 200, 200]),
  row('GET /api/statement', /*                   */ [401, 403, 200, 403, 200], {
    other: 'seller',
    shows: toSeller(({ paidBooking }) => paidBooking),
  }),
  row('GET /api/statement/summary', /*           */ [401, 403, 200, 403, 200], { other: 'seller' }),
  row('GET /api/statement.csv', /*               */ [401, 403, 200, 403, 200], {
    other: 'seller',
    shows: toSeller(({ paidBooking }) => paidBooking),
  }),

  row('GET /api/payouts', /*                     */ [401, 403, 200, 403, 200], { other: 'seller' }),
  row('GET /api/payouts/account', /*             */ [401, 403, 200, 403, 200], { other: 'seller' }),
  // Before anybody has begun an account.
  row('POST /api/payouts/account/login', /*      */ [401, 403, 404, 403, 404], { other: 'seller' }),
  row('POST /api/payouts/account/link', /*       */ [401, 403, 200, 403, 200], { other: 'seller' }),
];
