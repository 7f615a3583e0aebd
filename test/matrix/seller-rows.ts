import { readTexts } from '#contract/law/texts.ts';
import { row, type Cell, type Row, type Sent } from './row.ts';

const ofSeller = async ({ t, scene }: Cell): Promise<Sent> => {
  const { seller_slug: slug } = await t.db
    .selectFrom('users')
    .select('seller_slug')
    .where('id', '=', scene.seller.id)
    .executeTakeFirstOrThrow();
  return { params: { slug: slug ?? '' } };
};

/** Pages of sellers, which everybody sees alike, and who follows them. */
export const SELLER_ROWS: readonly Row[] = [
  //                                                none  buyer seller admin other
  row('GET /api/sellers/:slug', /*               */ [200, 200, 200, 200, 200], { send: ofSeller }),
  row('GET /api/sellers/:slug/reviews', /*       */ [200, 200, 200, 200, 200], { send: ofSeller }),
  row('GET /api/seller-page', /*                 */ [401, 403, 200, 403, 200], { other: 'seller' }),
  row('PUT /api/seller-page', /*                 */ [401, 403, 200, 403, 200], {
    other: 'seller',
    send: () => ({ body: { about: 'Books since 1998.', place: 'Portland' } }),
  }),
  row('GET /api/texts', /*                       */ [200, 200, 200, 200, 200]),
  row('GET /api/declaration', /*                 */ [401, 403, 200, 403, 200], { other: 'seller' }),
  row('PUT /api/declaration', /*                 */ [401, 403, 200, 403, 200], {
    other: 'seller',
    send: async ({ t }) => ({
      body: { kind: 'private', adult: true, terms: (await t.call(readTexts, {})).body.terms.version },
    }),
  }),
  row('GET /api/identity', /*                    */ [401, 403, 200, 403, 200], { other: 'seller' }),
  row('PUT /api/users/:id/identity', /*          */ [401, 403, 403, 200, 403], {
    other: 'seller',
    send: ({ scene }) => ({ params: { id: scene.seller.id }, body: { reason: 'A passport was shown' } }),
  }),
  row('GET /api/sellers/:slug/follow', /*        */ [401, 200, 200, 200, 200], { send: ofSeller }),
  // Nobody follows themselves.
  row('PUT /api/sellers/:slug/follow', /*        */ [401, 200, 400, 200, 200], { send: ofSeller }),
  row('DELETE /api/sellers/:slug/follow', /*     */ [401, 200, 400, 200, 200], { send: ofSeller }),
  row('GET /api/follows', /*                     */ [401, 200, 200, 200, 200]),
];
