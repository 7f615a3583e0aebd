import { aBookingDraft } from '#test/make.ts';
import { row, type Cell, type Row, type Sent } from './row.ts';
import { aFreshCopy } from './scene.ts';
import { toMe, toBuyer } from './sent.ts';

const ofOrder: Row['send'] = ({ scene }) => ({ params: { id: scene.order } });
const ofBooking = ({ scene }: Cell): Sent => ({ params: { id: scene.booking } });
const ofHeldCopy = ({ scene }: Cell): Sent => ({ params: { id: scene.heldCopy } });
/** Booking a copy, waiting for it, paying for it, and its order. */
export const ORDER_ROWS: readonly Row[] = [
  //                                                none  buyer seller admin other
  row('POST /api/bookings', /*                   */ [401, 201, 403, 403, 409], {
    send: async ({ t, scene, me, claimed }) => ({
      body: aBookingDraft({ ...me, email: claimed }, await aFreshCopy(t, scene)),
    }),
  }),
  row('GET /api/bookings', /*                    */ [401, 200, 403, 403, 403], { send: toMe }),
  row('GET /api/bookings/my_buyers', /*          */ [401, 403, 200, 403, 403], { other: 'seller', send: toMe }),
  row('GET /api/bookings/:id', /*                */ [401, 200, 200, 200, 404], { send: ofBooking }),
  row('PATCH /api/bookings/:id', /*              */ [401, 200, 403, 403, 404], {
    send: ({ scene }) => ({ params: { id: scene.booking }, body: { phone: '+1 555 0142', location: '' } }),
  }),
  row('PUT /api/bookings/:id/promise', /*        */ [401, 200, 403, 403, 404], {
    send: ({ scene }) => ({ params: { id: scene.booking }, body: { version: '' } }),
  }),
  row('POST /api/create-payment-intent', /*      */ [401, 200, 403, 403, 404], {
    send: ({ scene }) => ({ body: { price: 7.5, bookingId: scene.booking } }),
  }),
  row('POST /api/payments', /*                   */ [401, 409, 403, 403, 404], {
    send: ({ scene, me }) => ({
      body: { price: 7.5, transactionId: 'pi_none', email: me.email, bookingId: scene.booking },
    }),
  }),
  row('DELETE /api/bookings/:id', /*             */ [401, 200, 403, 403, 404], { send: ofBooking }),

  row('GET /api/orders/:id', /*                  */ [401, 200, 200, 200, 404], { send: ofOrder }),
  // A move that there is not: whoever takes part is told so, nobody else hears of the order.
  row('POST /api/orders/:id/moves', /*           */ [401, 409, 409, 409, 404], {
    send: ({ scene }) => ({ params: { id: scene.order }, body: { move: 'sing' } }),
  }),

  // The line is behind a copy that none of the callers holds: whoever buys may wait in it.
  row('PUT /api/categories/:id/line', /*         */ [401, 200, 403, 403, 200], { send: ofHeldCopy }),
  row('GET /api/categories/:id/line', /*         */ [401, 200, 200, 200, 200], { send: ofHeldCopy }),
  // Only what a copy is to whoever asks: nothing of others.
  row('GET /api/standing', /*                    */ [401, 200, 200, 200, 200], {
    send: ({ scene }) => ({ query: { ids: scene.heldCopy } }),
  }),
  row('GET /api/line', /*                        */ [401, 200, 403, 403, 200], {
    shows: toBuyer(({ awaitedCopy }) => awaitedCopy),
  }),
  row('DELETE /api/categories/:id/line', /*      */ [401, 200, 403, 403, 200], { send: ofHeldCopy }),
];
