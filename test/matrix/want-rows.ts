import { randomUUID } from 'node:crypto';
import { offerListing } from '#contract/catalog/catalog.ts';
import { saveSearch } from '#contract/wants/watching.ts';
import { aDraft } from '#test/make.ts';
import { aWant, offerAll } from '#test/wants.ts';
import { row, type Cell, type Row, type Sent } from './row.ts';
import type { Scene } from './scene.ts';

/** A want of the buyer. */
const want = async ({ t, scene }: Cell): Promise<Sent> => ({
  params: { id: (await aWant(t, scene.buyer, { title: `Wanted ${randomUUID()}` })).id },
});

const feeds = new WeakMap<Scene, Promise<string>>();

/** The address of the feed of one want, for all calls. */
const feed = async ({ t, scene }: Cell): Promise<Sent> => {
  const made = feeds.get(scene) ?? aWant(t, scene.buyer, { title: 'Emma' }).then((made) => made.feed);
  feeds.set(scene, made);
  return { params: { token: (await made).split('/').at(-1) ?? '' } };
};

const offers = new WeakMap<Scene, Promise<string>>();

const makeOffer = async ({ t, scene }: Cell): Promise<string> => {
  const title = `Wanted ${randomUUID()}`;
  const { id } = await aWant(t, scene.buyer, { title });
  const body = aDraft(scene.seller, scene.category, { title });
  await t.call(offerListing, { body }, { as: scene.seller });
  await offerAll(t);
  return (await t.db.selectFrom('want_offers').select('id').where('want_id', '=', id).executeTakeFirstOrThrow()).id;
};

/** A copy that the buyer is offered, one for all calls: both may be repeated. */
const offered = async (cell: Cell): Promise<Sent> => {
  const made = offers.get(cell.scene) ?? makeOffer(cell);
  offers.set(cell.scene, made);
  return { params: { id: await made } };
};

/** What readers look for and are offered, and what sellers are told of it. */
export const WANT_ROWS: readonly Row[] = [
  //                                              none  buyer seller admin other
  row('GET /api/wants', /*                     */ [401, 200, 403, 403, 200]),
  row('PUT /api/wants/:id', /*                 */ [401, 200, 403, 403, 404], {
    send: async (cell) => ({ ...(await want(cell)), body: { title: 'Emma' } }),
  }),
  row('PUT /api/wants/:id/state', /*           */ [401, 200, 403, 403, 404], {
    send: async (cell) => ({ ...(await want(cell)), body: { state: 'paused' } }),
  }),
  row('DELETE /api/wants/:id', /*              */ [401, 200, 403, 403, 404], { send: want }),
  row('POST /api/wants/:id/feed', /*           */ [401, 200, 403, 403, 404], { send: want }),
  row('GET /api/feeds/wants/:token', /*        */ [200, 200, 200, 200, 200], { send: feed }),
  row('POST /api/wants/offers/:id/take', /*    */ [401, 200, 403, 403, 404], { send: offered }),
  row('POST /api/wants/offers/:id/pass', /*    */ [401, 200, 403, 403, 404], { send: offered }),
  row('GET /api/wants/demand', /*              */ [401, 403, 200, 403, 200], {
    other: 'seller',
    send: () => ({ query: { title: 'Emma' } }),
  }),
  row('GET /api/wants/unfilled', /*            */ [401, 403, 200, 403, 200], { other: 'seller' }),
  row('GET /api/wants/first-refusal', /*       */ [401, 403, 200, 403, 200], { other: 'seller' }),
  row('PUT /api/wants/first-refusal', /*       */ [401, 403, 200, 403, 200], {
    other: 'seller',
    send: () => ({ body: { on: true } }),
  }),
];

const copy = ({ scene }: Cell): Sent => ({ params: { id: scene.copy._id } });

/** A search that the buyer saved. */
const search = async ({ t, scene }: Cell, query?: string): Promise<Sent & { readonly feed: string }> => {
  const id = randomUUID();
  const body = { query: query ?? `q=${id}` };
  const { feed } = (await t.call(saveSearch, { params: { id }, body }, { as: scene.buyer })).body;
  return { params: { id }, feed };
};

/** What readers mark and save; whoever has the address of a feed reads it. */
export const WATCH_ROWS: readonly Row[] = [
  //                                              none  buyer seller admin other
  row('GET /api/wishes', /*                    */ [401, 200, 200, 200, 200]),
  row('GET /api/wishes/marks', /*              */ [401, 200, 200, 200, 200]),
  row('PUT /api/wishes/:id', /*                */ [401, 200, 400, 200, 200], { send: copy }),
  row('DELETE /api/wishes/:id', /*             */ [401, 200, 200, 200, 200], { send: copy }),
  row('GET /api/saved-searches', /*            */ [401, 200, 200, 200, 200]),
  row('PUT /api/saved-searches/:id', /*        */ [401, 200, 404, 404, 404], {
    send: async (cell) => ({ params: (await search(cell)).params ?? {}, body: { query: 'q=emma' } }),
  }),
  row('DELETE /api/saved-searches/:id', /*     */ [401, 200, 404, 404, 404], { send: search }),
  row('POST /api/saved-searches/:id/feed', /*  */ [401, 200, 404, 404, 404], { send: search }),
  row('GET /api/feeds/saved/:token', /*        */ [200, 200, 200, 200, 200], {
    send: async (cell) => ({ params: { token: (await search(cell, 'q=emma')).feed.split('/').at(-1) ?? '' } }),
  }),
];
