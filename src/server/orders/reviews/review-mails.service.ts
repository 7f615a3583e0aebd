import { inSentence } from '#contract/text.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import { readMailedOrder } from '#server/orders/mails/order-mails.queries.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import type { ReviewSide } from './reviews.queries.ts';

/**
 * What is told about reviews: that an order may be reviewed, that a review about oneself is shown or has a reply, and
 * what an admin decided about one's own words. `side` is who is told; `key` is unique within the order.
 */
export interface ReviewNews {
  readonly orderId: string;
  readonly side: ReviewSide;
  readonly key: string;
  readonly about: 'asked' | 'shown' | 'replied' | 'allowed' | 'removed';
  readonly reason?: string;
}

/** Tells one side of an order; whoever left the shop hears nothing. */
export const mailReview = async (trx: Trx, { orderId, side, key, about, reason = '' }: ReviewNews): Promise<void> => {
  const order = await readMailedOrder(trx, orderId);
  const { id, email, name, isThere } = order[side];
  if (!isThere) return;
  await queueMail(trx, {
    kind: 'review',
    key: `review:${orderId}:${key}:${id}`,
    to: { email, name },
    data: { orderId, title: inSentence(order.titles), about, side, reason },
  });
};
