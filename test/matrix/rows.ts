import { randomUUID } from 'node:crypto';
import { registerUser } from '#server/identity/sessions/identity.service.ts';
import { aBookingDraft, aDraft, PASSWORD } from '#test/make.ts';
import { BY_HAND_ROWS } from './by-hand-rows.ts';
import { row, type Cell, type Row, type Sent } from './row.ts';
import { aFreshCopy, type Scene } from './scene.ts';
import { becoming } from '#server/catalog/listings/listing.queries.ts';

const nothing = undefined;
const somebody = randomUUID();
const B64 = 'AAAAAAAAAAAAAAAAAAAAAA';
const aPasskeyProof = {
  id: B64,
  rawId: B64,
  type: 'public-key',
  response: { authenticatorData: B64, clientDataJSON: B64, signature: B64 },
};
const aNewPasskey = {
  id: B64,
  rawId: B64,
  type: 'public-key',
  response: { attestationObject: B64, clientDataJSON: B64 },
};

const aDelivery = {
  pickup: true,
  pickupPlace: '',
  post: true,
  first: 4,
  further: '1.50',
  freeFrom: null,
  countries: ['US'],
  daysToPost: 3,
};

const toMe = ({ claimed }: Cell): Sent => ({ query: { email: claimed } });
const named = ({ claimed }: Cell): Sent => ({ params: { email: claimed } });
const ofUser = async ({ t }: Cell): Promise<Sent> => {
  const email = `u${randomUUID().slice(0, 12)}@example.com`;
  return {
    params: { id: await registerUser(t.db, { email, name: 'Sam Seller', roles: ['seller'], emailProven: true }) },
  };
};
const ofUserWithReason = async (cell: Cell): Promise<Sent> => ({
  ...(await ofUser(cell)),
  body: { reason: 'Left the team' },
});
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
const ofCategory = async ({ t }: Cell): Promise<Sent> => {
  const id = `m-${randomUUID()}`;
  await t.db.insertInto('categories').values({ id, name: id, created_by: null }).execute();
  return { params: { id } };
};
const ofFreshCopy = async ({ t, scene }: Cell): Promise<Sent> => ({ params: { id: (await aFreshCopy(t, scene))._id } });
const ofOrder: Row['send'] = ({ scene }) => ({ params: { id: scene.order } });
const ofBooking = ({ scene }: Cell): Sent => ({ params: { id: scene.booking } });
const toBuyer = (what: (scene: Scene) => string): Row['shows'] => ({ what, to: ['buyer'] });
const toSeller = (what: (scene: Scene) => string): Row['shows'] => ({ what, to: ['seller'] });
/** How to reach a seller is for people who said who they are. */
const CONTACT: Row['shows'] = { what: ({ seller }) => seller.email, to: ['buyer', 'seller', 'admin', 'other'] };
const ofHeldCopy = ({ scene }: Cell): Sent => ({ params: { id: scene.heldCopy } });
const ofPasskey = ({ scene }: Cell): Sent => ({ params: { id: scene.passkey }, body: { name: 'My key' } });

/**
 * Every route of the API and what it answers to whom. `other` is a buyer (or a seller, where the call is about a
 * seller's things) whose it is not. Who was deleted, has an expired token or an ended session is no one.
 */
export const ROWS: readonly Row[] = [
  //                                                none  buyer seller admin other
  row('PUT /api/photos/:id', /*                  */ [401, 400, 400, 400, 400], {
    send: () => ({ params: { id: randomUUID() }, body: { no: 'picture' } }),
  }),
  row('GET /api/photos/:id/:side.webp', /*       */ [401, 404, 404, 404, 404], {
    send: () => ({ params: { id: somebody, side: '720' } }),
  }),
  row('DELETE /api/photos/:id', /*               */ [401, 404, 404, 404, 404], {
    send: () => ({ params: { id: somebody } }),
  }),

  row('GET /api/openapi.json', /*                */ [200, 200, 200, 200, 200]),
  row('GET /api/docs', /*                        */ [200, 200, 200, 200, 200]),
  row('GET /api/dashboard/summary', /*           */ [401, 200, 200, 200, 200]),
  row('GET /api/dashboard/charts', /*            */ [401, 200, 200, 200, 200]),

  row('POST /api/auth/sign-up', /*               */ [201, 201, 201, 201, 201], {
    fresh: true,
    send: () => ({ body: { name: 'Ada', email: `u${randomUUID().slice(0, 12)}@example.com`, password: PASSWORD } }),
  }),
  row('POST /api/auth/sign-in', /*               */ [200, 200, 200, 200, 200], {
    fresh: true,
    dead: [401, 200, 200],
    send: ({ me }) => ({ body: { email: me.email, password: PASSWORD } }),
  }),
  row('POST /api/auth/sign-out', /*              */ [401, 204, 204, 204, 204], { fresh: true }),
  row('GET /api/auth/session', /*                */ [200, 200, 200, 200, 200], {
    shows: toBuyer(({ buyer }) => buyer.email),
  }),
  row('GET /api/jwt', /*                         */ [401, 200, 200, 200, 403], { send: toMe }),
  row('POST /api/auth/forgot', /*                */ [202, 202, 202, 202, 202], {
    send: ({ claimed }) => ({ body: { email: claimed } }),
  }),
  row('POST /api/auth/reset', /*                 */ [410, 410, 410, 410, 410], {
    send: () => ({ body: { token: 'A'.repeat(43), password: PASSWORD } }),
  }),
  row('POST /api/auth/confirm', /*               */ [410, 410, 410, 410, 410], {
    send: () => ({ body: { token: 'A'.repeat(43) } }),
  }),
  row('GET /api/auth/providers', /*              */ [200, 200, 200, 200, 200]),
  row('GET /api/auth/google', /*                 */ [303, 303, 303, 303, 303]),
  row('GET /api/auth/github', /*                 */ [303, 303, 303, 303, 303]),
  row('GET /api/auth/google/callback', /*        */ [303, 303, 303, 303, 303]),
  row('GET /api/auth/github/callback', /*        */ [303, 303, 303, 303, 303]),
  row('POST /api/auth/passkey/options', /*       */ [200, 200, 200, 200, 200]),
  row('POST /api/auth/passkey', /*               */ [401, 401, 401, 401, 401], {
    send: () => ({ body: { passkey: aPasskeyProof } }),
  }),
  row('POST /api/auth/again/options', /*         */ [401, 200, 200, 200, 200]),
  row('POST /api/auth/again', /*                 */ [401, 200, 200, 200, 200], {
    fresh: true,
    send: () => ({ body: { password: PASSWORD } }),
  }),

  row('GET /api/account', /*                     */ [401, 200, 200, 200, 200], {
    shows: toBuyer(({ buyer }) => buyer.email),
  }),
  row('PATCH /api/account', /*                   */ [401, 200, 200, 200, 200], {
    send: () => ({ body: { name: 'Ada Reader' } }),
  }),
  row('PUT /api/account/password', /*            */ [401, 200, 200, 200, 200], {
    fresh: true,
    send: () => ({ body: { current: PASSWORD, password: PASSWORD } }),
  }),
  row('GET /api/account/sessions', /*            */ [401, 200, 200, 200, 200]),
  row('DELETE /api/account/sessions/:id', /*     */ [401, 200, 404, 404, 404], {
    send: ({ scene }) => ({ params: { id: scene.session } }),
  }),
  row('DELETE /api/account/sessions', /*         */ [401, 200, 200, 200, 200]),
  row('POST /api/account/passkeys/options', /*   */ [401, 200, 200, 200, 200]),
  row('POST /api/account/passkeys', /*           */ [401, 400, 400, 400, 400], {
    send: () => ({ body: { name: 'Key', passkey: aNewPasskey } }),
  }),
  row('PATCH /api/account/passkeys/:id', /*      */ [401, 200, 404, 404, 404], { send: ofPasskey }),
  row('DELETE /api/account/passkeys/:id', /*     */ [401, 200, 404, 404, 404], { send: ofPasskey }),
  row('POST /api/account/recovery_codes', /*     */ [401, 403, 403, 403, 403]),
  row('POST /api/account/confirmation', /*       */ [401, 200, 200, 200, 200]),
  row('GET /api/account/links', /*               */ [401, 200, 200, 200, 200]),
  row('POST /api/account/links/:provider', /*    */ [401, 200, 200, 200, 200], {
    send: () => ({ params: { provider: 'google' }, body: { popup: false } }),
  }),
  row('DELETE /api/account/links/:provider', /*  */ [401, 200, 200, 200, 200], {
    send: () => ({ params: { provider: 'google' } }),
  }),
  row('GET /api/account/export', /*              */ [401, 200, 200, 200, 200]),
  row('DELETE /api/account', /*                  */ [401, 200, 200, 200, 200], {
    fresh: true,
    send: () => ({ query: { confirm: 'DELETE' } }),
  }),

  row('POST /api/users', /*                      */ [401, 200, 200, 200, 403], {
    send: ({ claimed }) => ({ body: { name: 'Ada Reader', email: claimed } }),
  }),
  row('GET /api/users', /*                       */ [401, 403, 403, 200, nothing]),
  row('GET /api/users/all_sellers', /*           */ [401, 403, 403, 200, nothing]),
  row('GET /api/users/admin/:email', /*          */ [200, 200, 200, 200, 200], { send: named }),
  row('GET /api/users/buyer/:email', /*          */ [200, 200, 200, 200, 200], { send: named }),
  row('GET /api/users/seller/:email', /*         */ [200, 200, 200, 200, 200], { send: named }),
  row('PUT /api/users/buyer', /*                 */ [401, 200, 200, 200, 403], { fresh: true, send: toMe }),
  row('PUT /api/users/seller', /*                */ [401, 200, 200, 200, 403], { fresh: true, send: toMe }),
  row('PUT /api/users/admin/:id', /*             */ [401, 403, 403, 200, nothing], { send: ofUser }),
  row('DELETE /api/users/admin/:id', /*          */ [401, 403, 403, 200, nothing], { send: ofUserWithReason }),
  row('PUT /api/users/verified/:id', /*          */ [401, 403, 403, 200, nothing], { send: ofUser }),
  row('DELETE /api/users/verified/:id', /*       */ [401, 403, 403, 200, nothing], { send: ofUserWithReason }),
  row('DELETE /api/users/:id', /*                */ [401, 403, 403, 200, nothing], { send: ofUser }),

  row('GET /api/categoryName', /*                */ [200, 200, 200, 200, 200]),
  row('GET /api/categoryName/use', /*            */ [401, 403, 403, 200, nothing]),
  row('POST /api/categoryName', /*               */ [401, 403, 201, 201, nothing], {
    send: () => {
      const id = `m-${randomUUID()}`;
      return { body: { category_id: id, category_name: id } };
    },
  }),
  row('PATCH /api/categoryName/:id', /*          */ [401, 403, 403, 200, nothing], {
    send: async (cell) => ({ ...(await ofCategory(cell)), body: { category_name: randomUUID() } }),
  }),
  row('POST /api/categoryName/:id/merge', /*     */ [401, 403, 403, 200, nothing], {
    send: async (cell) => ({ ...(await ofCategory(cell)), body: { into: cell.scene.category } }),
  }),
  row('DELETE /api/categoryName/:id', /*         */ [401, 403, 403, 200, nothing], { send: ofCategory }),

  row('GET /api/categories', /*                  */ [200, 200, 200, 200, 200], { shows: CONTACT }),
  row('GET /api/categories/count', /*            */ [200, 200, 200, 200, 200]),
  row('GET /api/popular', /*                     */ [200, 200, 200, 200, 200]),
  row('GET /api/category/:id', /*                */ [200, 200, 200, 200, 200], {
    shows: CONTACT,
    send: ({ scene }) => ({ params: { id: scene.category } }),
  }),
  row('GET /api/categories/:id', /*              */ [200, 200, 200, 200, 200], {
    shows: CONTACT,
    send: ({ scene }) => ({ params: { id: scene.copy._id } }),
  }),
  row('GET /api/categories/:id/copies', /*       */ [200, 200, 200, 200, 200], {
    send: ({ scene }) => ({ params: { id: scene.copy._id } }),
  }),
  row('GET /api/search', /*                      */ [200, 200, 200, 200, 200], {
    shows: CONTACT,
    send: ({ scene }) => ({
      query: { q: scene.copy.title, category: scene.category, signed: '1', unknown: '1', facets: '1' },
    }),
  }),
  row('GET /api/search/suggestions', /*          */ [200, 200, 200, 200, 200], {
    send: ({ scene }) => ({ query: { q: scene.copy.title } }),
  }),
  row('POST /api/categories', /*                 */ [401, 403, 201, 403, 403], {
    other: 'seller',
    send: ({ me, scene, claimed }) => ({ body: { ...aDraft({ ...me, email: claimed }, scene.category) } }),
  }),
  row('PATCH /api/categories/:id', /*            */ [401, 403, 200, 403, 404], {
    other: 'seller',
    send: async (cell) => ({ ...(await ofFreshCopy(cell)), body: { title: 'Emma' } }),
  }),
  row('DELETE /api/categories/:id', /*           */ [401, 403, 200, 200, 404], { other: 'seller', send: ofFreshCopy }),
  row('GET /api/categories/my_products', /*      */ [401, 403, 200, 403, 403], { other: 'seller', send: toMe }),

  // An ISBN that nobody knows.
  row('GET /api/editions/:isbn', /*              */ [401, 403, 404, 403, 404], {
    other: 'seller',
    send: () => ({ params: { isbn: '9780306406157' } }),
  }),
  row('GET /api/editions/:isbn/prices', /*       */ [401, 403, 200, 403, 200], {
    other: 'seller',
    send: () => ({ params: { isbn: '9780306406157' }, query: { condition: 'Good' } }),
  }),

  // Public, and nothing is known of them in this shop.
  row('GET /api/isbn/:isbn', /*                  */ [404, 404, 404, 404, 404], {
    send: () => ({ params: { isbn: '9780306406157' } }),
  }),
  row('GET /api/author/:slug', /*                */ [404, 404, 404, 404, 404], {
    send: () => ({ params: { slug: 'nobody-at-all' } }),
  }),

  row('GET /api/sellers/delivery', /*            */ [401, 403, 200, 403, 200], { other: 'seller' }),
  row('PUT /api/sellers/delivery', /*            */ [401, 403, 200, 403, 200], {
    other: 'seller',
    send: () => ({ body: { ...aDelivery } }),
  }),
  row('GET /api/products/:id/delivery', /*       */ [401, 403, 200, 403, 404], { other: 'seller', send: ofFreshCopy }),
  row('PUT /api/products/:id/delivery', /*       */ [401, 403, 200, 403, 404], {
    other: 'seller',
    send: async (cell) => ({ ...(await ofFreshCopy(cell)), body: { daysToPost: 5 } }),
  }),
  row('PUT /api/products/:id/pause', /*          */ [401, 403, 200, 403, 404], {
    other: 'seller',
    send: async (cell) => ({ ...(await ofFreshCopy(cell)), body: { paused: true } }),
  }),
  row('GET /api/listing-draft', /*               */ [401, 403, 200, 403, 200], { other: 'seller' }),
  row('PUT /api/listing-draft', /*               */ [401, 403, 200, 403, 200], {
    other: 'seller',
    send: () => ({ body: { version: 0, fields: { title: 'Emma' }, photos: [] } }),
  }),
  row('DELETE /api/listing-draft', /*            */ [401, 403, 200, 403, 200], { other: 'seller' }),
  row('GET /api/shelf/pause', /*                 */ [401, 403, 200, 403, 200], { other: 'seller' }),
  // Ended, which nobody did begin: the scene's copies stay on the shelf.
  row('PUT /api/shelf/pause', /*                 */ [401, 403, 200, 403, 200], {
    other: 'seller',
    send: () => ({ body: { paused: false, until: null } }),
  }),

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

  row('GET /api/orders/:id/notes', /*            */ [401, 200, 200, 200, 404], { send: ofOrder }),
  row('POST /api/orders/:id/notes', /*           */ [401, 201, 201, 403, 404], {
    send: ({ scene }) => ({ params: { id: scene.order }, body: { text: 'Is it packed well?' } }),
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

  ...BY_HAND_ROWS,

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
