import { randomUUID } from 'node:crypto';
import { PASSWORD } from '#test/make.ts';
import { row, type Cell, type Row, type Sent } from './row.ts';
import { nothing, toMe, ofUser, toBuyer } from './sent.ts';

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

const named = ({ claimed }: Cell): Sent => ({ params: { email: claimed } });
const ofUserWithReason = async (cell: Cell): Promise<Sent> => ({
  ...(await ofUser(cell)),
  body: { reason: 'Left the team' },
});
const ofPasskey = ({ scene }: Cell): Sent => ({ params: { id: scene.passkey }, body: { name: 'My key' } });

/** Who somebody is: signing in, the own account, and what admins do about users. */
export const IDENTITY_ROWS: readonly Row[] = [
  //                                                none  buyer seller admin other
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
  // A key is made by somebody who signed in lately, as the people of the scene did.
  row('GET /api/api-keys', /*                    */ [401, 403, 200, 403, 200], { other: 'seller' }),
  row('POST /api/api-keys', /*                   */ [401, 403, 201, 403, 201], {
    other: 'seller',
    send: () => ({ body: { name: 'BookTrakker', scopes: ['stock:read'] } }),
  }),
  row('DELETE /api/api-keys/:id', /*             */ [401, 403, 200, 403, 200], {
    other: 'seller',
    send: () => ({ params: { id: randomUUID() } }),
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
  row('GET /api/users/:id/person', /*            */ [401, 403, 403, 200, nothing], { send: ofUser }),
  row('PUT /api/users/suspended/:id', /*         */ [401, 403, 403, 200, nothing], { send: ofUserWithReason }),
  row('DELETE /api/users/suspended/:id', /*      */ [401, 403, 403, 200, nothing], { send: ofUser }),
  row('GET /api/account/suspension', /*          */ [401, 200, 200, 200, 200]),
  row('DELETE /api/users/:id', /*                */ [401, 403, 403, 200, nothing], { send: ofUser }),
];
