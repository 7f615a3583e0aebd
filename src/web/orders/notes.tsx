import { useRef } from 'react';
import { useRevalidator } from 'react-router';
import type { FieldErrors } from '#contract/errors.ts';
import { listNotes, MAX_NOTE_LENGTH, writeNote, type Note } from '#contract/messages/notes.ts';
import type { Order } from '#contract/orders/orders.ts';
import { ApiError } from '#web/api/api-error.ts';
import { call, callPage, newIdempotencyKey } from '#web/api/call.ts';
import { Time } from '#web/shell/data/time.tsx';
import { useMore, type Page } from '#web/shell/data/use-more.ts';
import { useForm } from '#web/shell/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { TextArea } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';

const FORGOTTEN = 'Its writer has left, and the shop has forgotten it.';

const writerOf = ({ by }: Note, order: Order): string => (order.side === by ? 'You' : order[by]);

const NoteItem = ({ note, order }: { note: Note; order: Order }) => {
  const isMine = note.by === order.side;
  return (
    <li
      className={classes(
        'max-w-prose rounded-box border border-base-300 px-4 py-3',
        isMine ? 'ms-6 self-end bg-base-200' : 'me-6 self-start',
      )}
    >
      <p className="flex flex-wrap gap-x-2 text-sm text-muted">
        <span dir="auto" className="font-semibold break-words text-base-content">
          {writerOf(note, order)}
        </span>
        <Time at={note.at} as="moment" />
      </p>
      {note.text === '' ? (
        <p className="mt-1 text-muted italic">{FORGOTTEN}</p>
      ) : (
        <p dir="auto" className="mt-1 break-words whitespace-pre-line">
          {note.text}
        </p>
      )}
    </li>
  );
};

const NAMES = ['text'] as const;

const NoteForm = ({ order }: { order: Order }) => {
  const { revalidate } = useRevalidator();
  // One key for a note however often it is sent; another text is another note.
  const sending = useRef({ text: '', key: '' });
  const form = useForm({
    names: NAMES,
    check: ({ text }): FieldErrors => (text.trim() === '' ? { text: 'Write something first' } : {}),
    send: async ({ text }, element) => {
      if (sending.current.text !== text) sending.current = { text, key: newIdempotencyKey() };
      const { key: idempotencyKey } = sending.current;
      try {
        await call(writeNote, { params: { id: order._id }, body: { text } }, { idempotencyKey });
      } catch (error) {
        // It may be over since the page was read: then there is no form any more.
        if (error instanceof ApiError && error.code === 'thread_closed') await revalidate();
        throw error;
      }
      sending.current = { text: '', key: '' };
      element.reset();
      await revalidate();
      toast('Note sent');
    },
  });
  return (
    <form {...form.props} className="flex flex-col gap-3">
      <TextArea
        {...form.field('text')}
        label="Your note"
        hint={`${order.side === 'buyer' ? order.seller : order.buyer} gets a mail that there is one.`}
        rows={3}
        maxLength={MAX_NOTE_LENGTH}
      />
      {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
      <Button {...form.button} look="secondary" className="sm:self-start">
        Send note
      </Button>
    </form>
  );
};

const CLOSED = 'This order has been over for too long to write about it.';

/** What buyer and seller wrote to each other, the oldest first, and a form for one more. */
export const Notes = ({ order, first }: { order: Order; first: Page<Note> }) => {
  const { _id: id, mayWrite, side } = order;
  const list = useMore(first, (cursor) => callPage(listNotes, { params: { id }, query: { cursor } }), {
    keepPlace: true,
  });
  if (list.rows.length === 0 && !mayWrite) return null;
  return (
    <section
      id="notes"
      aria-labelledby="notes-heading"
      className="flex scroll-mt-4 flex-col gap-4 rounded-box border border-base-300 bg-base-100 p-5 print:hidden"
    >
      <h2 id="notes-heading" className="font-serif text-xl font-semibold">
        Notes
      </h2>
      {list.failure !== undefined && <Notice tone="error">{list.failure}</Notice>}
      {list.hasMore && (
        <Button look="quiet" busy={list.busy} className="self-center" onClick={() => void list.more()}>
          Earlier notes
        </Button>
      )}
      {list.rows.length > 0 && (
        <ol aria-label="Notes, the oldest first" className="flex flex-col gap-3">
          {list.rows.toReversed().map((note) => (
            <NoteItem key={note._id} note={note} order={order} />
          ))}
        </ol>
      )}
      {list.rows.length === 0 && (
        <p className="text-muted">Nothing yet. Ask about the parcel, or agree on a time here.</p>
      )}
      {mayWrite && <NoteForm order={order} />}
      {!mayWrite && side !== 'admin' && <p className="text-sm text-muted">{CLOSED}</p>}
    </section>
  );
};
