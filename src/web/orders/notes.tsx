import { useCallback } from 'react';
import { useRevalidator } from 'react-router';
import type { Message, MessageDraft } from '#contract/messages/messages.ts';
import { listNotes, readNotes, writeNote } from '#contract/messages/notes.ts';
import type { Order } from '#contract/orders/orders.ts';
import { ApiError } from '#web/api/api-error.ts';
import { call, callPage } from '#web/api/call.ts';
import type { Page } from '#web/shell/data/use-more.ts';
import { Conversation } from '#web/shell/messages/conversation.tsx';
import { refreshUnreadMessages, useMessageNews } from '#web/shell/messages/news.ts';

const CLOSED = 'This order has been over for too long to write about it.';

/** What buyer and seller wrote to each other, the oldest first, and a form for one more. */
export const Notes = ({ order, first }: { order: Order; first: Page<Message> }) => {
  const { _id: id, mayWrite, side } = order;
  const { revalidate } = useRevalidator();
  const params = { id };
  useMessageNews(
    undefined,
    useCallback(() => void revalidate(), [revalidate]),
  );
  const onRead = useCallback(
    (upTo: string) => {
      // Failing it stays new, which is no harm.
      call(readNotes, { params: { id }, body: { upTo } })
        .then(refreshUnreadMessages)
        .catch(() => undefined);
    },
    [id],
  );
  const send = async (body: MessageDraft, idempotencyKey: string): Promise<void> => {
    try {
      await call(writeNote, { params, body }, { idempotencyKey });
    } catch (error) {
      // It may be over since the page was read: then there is no form any more.
      if (error instanceof ApiError && error.code === 'thread_closed') await revalidate();
      throw error;
    }
    await revalidate();
  };
  if (first.rows.length === 0 && !mayWrite) return null;
  return (
    <section
      id="notes"
      aria-labelledby="notes-heading"
      className="flex scroll-mt-4 flex-col gap-4 rounded-box border border-base-300 bg-base-100 p-5 print:hidden"
    >
      <h2 id="notes-heading" className="font-serif text-xl font-semibold">
        Notes
      </h2>
      <Conversation
        first={first}
        read={(cursor) => callPage(listNotes, { params, query: { cursor } })}
        names={order}
        side={side === 'admin' ? undefined : side}
        words={{
          one: 'note',
          many: 'notes',
          hint: `${side === 'buyer' ? order.seller : order.buyer} gets a mail that there is one.`,
          nothing: 'Nothing yet. Ask about the parcel, or agree on a time here.',
        }}
        mayWrite={mayWrite}
        send={send}
        onRead={onRead}
      />
      {!mayWrite && side !== 'admin' && <p className="text-sm text-muted">{CLOSED}</p>}
    </section>
  );
};
