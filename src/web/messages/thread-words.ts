import type { Thread, ThreadEnd } from '#contract/messages/threads.ts';

/** Whoever is at the other side; they may have left. */
export const otherSide = (thread: Pick<Thread, 'with' | 'side'>): string => {
  if (thread.with !== '') return thread.with;
  return thread.side === 'buyer' ? 'A seller who left' : 'Somebody who left';
};

/** Why nothing more can be written. */
export const END_WORDS: Readonly<Record<ThreadEnd, string>> = {
  sold: 'This copy is not for sale any more, so this conversation has ended.',
  over: 'The order has been over for too long to write about it.',
  left: 'Whoever was at the other side has left the shop.',
  blocked: 'You blocked messages from here. Take that back to write.',
  closed: 'You cannot write here any more.',
};
