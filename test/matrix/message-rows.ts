import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { row, type Cell, type Row, type Sent } from './row.ts';

const ofOrder = ({ scene }: Cell): Sent => ({ params: { id: scene.order } });

/** What the buyer asked the seller about a copy. */
const threadOf = async ({ t, scene }: Cell): Promise<string> => {
  const about = { listing_id: scene.awaitedCopy, buyer_id: scene.buyer.id };
  const find = () =>
    t.db
      .selectFrom('message_threads')
      .select('id')
      .where('listing_id', '=', about.listing_id)
      .where('buyer_id', '=', about.buyer_id)
      .executeTakeFirst();
  const found = await find();
  if (found !== undefined) return found.id;
  const { id } = await t.db
    .insertInto('message_threads')
    .values({ ...about, seller_id: scene.seller.id })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`INSERT INTO messages (thread_id, sender_id, body)
    VALUES (${id}, ${scene.buyer.id}, 'Is it still there?')`.execute(t.db);
  return id;
};

const ofThread =
  (more: Omit<Sent, 'params'> = {}) =>
  async (cell: Cell): Promise<Sent> => ({ params: { id: await threadOf(cell) }, ...more });

/** What people write to each other: about a copy, which is the two's alone, and about an order, which admins read. */
export const MESSAGE_ROWS: readonly Row[] = [
  //                                                none  buyer seller admin other
  row('GET /api/orders/:id/notes', /*            */ [401, 200, 200, 200, 404], { send: ofOrder }),
  row('POST /api/orders/:id/notes', /*           */ [401, 201, 201, 403, 404], {
    send: ({ scene }) => ({ params: { id: scene.order }, body: { text: 'Is it packed well?' } }),
  }),
  row('PUT /api/orders/:id/notes/read', /*       */ [401, 200, 200, 200, 404], {
    send: ({ scene }) => ({ params: { id: scene.order }, body: { upTo: randomUUID() } }),
  }),
  row('GET /api/threads', /*                     */ [401, 200, 200, 200, 200]),
  row('GET /api/threads/unread', /*              */ [401, 200, 200, 200, 200]),
  row('GET /api/threads/stream', /*              */ [401, 200, 200, 200, 200]),
  row('GET /api/threads/:id', /*                 */ [401, 200, 200, 404, 404], { send: ofThread() }),
  row('GET /api/threads/:id/messages', /*        */ [401, 200, 200, 404, 404], { send: ofThread() }),
  row('POST /api/threads/:id/messages', /*       */ [401, 201, 201, 404, 404], {
    send: ofThread({ body: { text: 'Is it dry?' } }),
  }),
  row('PUT /api/threads/:id/read', /*            */ [401, 200, 200, 404, 404], {
    send: ofThread({ body: { upTo: randomUUID() } }),
  }),
  row('PUT /api/threads/:id', /*                 */ [401, 200, 200, 404, 404], {
    send: ofThread({ body: { isMuted: false, isBlocked: false } }),
  }),
  // Everybody may ask but its seller.
  row('POST /api/listings/:id/messages', /*      */ [401, 201, 403, 201, 201], {
    send: ({ scene }) => ({ params: { id: scene.copy._id }, body: { text: 'Is it still there?' } }),
  }),
];
