import { randomUUID } from 'node:crypto';
import { row, type Cell, type Row, type Sent } from './row.ts';

const ofOrder = ({ scene }: Cell): Sent => ({ params: { id: scene.order } });
const noReview = (body: Record<string, unknown>) => (): Sent => ({ params: { id: randomUUID() }, body });

/** Reviews of an order that is not closed yet, and what admins do with those that wait for them. */
export const REVIEW_ROWS: readonly Row[] = [
  //                                                none  buyer seller admin other
  row('GET /api/orders/:id/reviews', /*          */ [401, 200, 200, 200, 404], { send: ofOrder }),
  row('PUT /api/orders/:id/review', /*           */ [401, 409, 409, 404, 404], {
    send: ({ scene }) => ({ params: { id: scene.order }, body: { stars: 5, words: 'Well packed.' } }),
  }),
  row('POST /api/reviews/:id/reply', /*          */ [401, 404, 404, 404, 404], {
    send: noReview({ text: 'Thank you' }),
  }),
  row('GET /api/reviews/held', /*                */ [401, 403, 403, 200, 403]),
  row('POST /api/reviews/:id/decision', /*       */ [401, 403, 403, 404, 403], {
    send: noReview({ what: 'review', allow: true, reason: '' }),
  }),
];
