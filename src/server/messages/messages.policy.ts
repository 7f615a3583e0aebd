import { isInReach } from '#contract/orders/deadlines.ts';
import type { ThreadEnd } from '#contract/messages/threads.ts';
import type { ThreadRow } from './threads.queries.ts';

type Facts = Pick<
  ThreadRow,
  'orderId' | 'orderClosedAt' | 'isOtherThere' | 'isBlocked' | 'isBlockedByOther' | 'copy' | 'now'
>;

/** Why nothing more can be written in a thread; null where it can. Two who have an order can always speak about it. */
export const endOf = (thread: Facts, reachDays: number): ThreadEnd | null => {
  if (thread.orderId !== null) return isInReach(thread.orderClosedAt, thread.now, reachDays) ? null : 'over';
  if (!thread.isOtherThere) return 'left';
  if (thread.isBlocked) return 'blocked';
  if (thread.isBlockedByOther) return 'closed';
  return thread.copy === 'gone' ? 'sold' : null;
};
