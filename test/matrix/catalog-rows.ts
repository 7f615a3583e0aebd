import { randomUUID } from 'node:crypto';
import { aDraft } from '#test/make.ts';
import { row, type Cell, type Row, type Sent } from './row.ts';
import { aFreshCopy } from './scene.ts';
import { nothing, somebody, toMe } from './sent.ts';

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

const ofCategory = async ({ t }: Cell): Promise<Sent> => {
  const id = `m-${randomUUID()}`;
  await t.db.insertInto('categories').values({ id, name: id, created_by: null }).execute();
  return { params: { id } };
};
export const ofFreshCopy = async ({ t, scene }: Cell): Promise<Sent> => ({
  params: { id: (await aFreshCopy(t, scene))._id },
});
/** How to reach a seller is theirs and the admins' to see: others write to them through the shop. */
const CONTACT: Row['shows'] = { what: ({ seller }) => seller.email, to: ['seller', 'admin'] };
/** Categories, copies, editions, photos and searches. */
export const CATALOG_ROWS: readonly Row[] = [
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

  row('GET /api/feeds/search.atom', /*           */ [200, 200, 200, 200, 200], { send: () => ({ query: { q: 'a' } }) }),
  row('GET /api/feeds/google.xml', /*            */ [200, 200, 200, 200, 200]),
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
];
