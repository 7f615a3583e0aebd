import { useEffect, useRef, useState } from 'react';
import type { FieldErrors } from '#contract/errors.ts';
import { MAX_MESSAGE_LENGTH, type Message, type MessageDraft, type ThreadSide } from '#contract/messages/messages.ts';
import { newIdempotencyKey } from '#web/api/call.ts';
import { reportPath } from '#web/shell/data/report-path.ts';
import { Time } from '#web/shell/data/time.tsx';
import { useMore, type Page } from '#web/shell/data/use-more.ts';
import { useForm } from '#web/shell/forms/use-form.ts';
import { arrivedIn } from '#web/shell/photos/arrival.ts';
import { PhotoPicker } from '#web/shell/photos/photo-picker.tsx';
import { PrivatePhotos } from '#web/shell/photos/private-photos.tsx';
import { usePhotoQueue } from '#web/shell/photos/use-photo-queue.ts';
import { Button } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { TextArea } from '#web/ui/field.tsx';
import { InfoIcon } from '#web/ui/icons.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';

const FORGOTTEN = 'The shop has forgotten what was written here.';
const HIDDEN = 'An admin has put this out of sight.';

/** What somebody writes here, and how it is called. */
export interface Words {
  /** `note`, `message`. */
  readonly one: string;
  readonly many: string;
  /** Who reads it, beneath the field. */
  readonly hint: string;
  /** Where nobody has written. */
  readonly nothing: string;
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Both read it: whoever is led away loses what the shop holds for them. */
const LeadsOutside = ({ isMine }: { isMine: boolean }) => (
  <p className="mt-2 flex items-start gap-2 text-sm text-muted">
    <InfoIcon className="mt-0.5 size-4 shrink-0 text-warning" />
    {isMine
      ? 'This seems to lead outside the shop. Whoever pays there has no one to complain to: the other side is warned.'
      : 'This seems to lead outside the shop. Pay here only: what is paid elsewhere the shop cannot give back.'}
  </p>
);

interface ItemProps {
  message: Message;
  /** `You`, or the other side's name. */
  writer: string;
  isMine: boolean;
  canReport: boolean;
}

const MessageItem = ({ message, writer, isMine, canReport }: ItemProps) => (
  <li
    className={classes(
      'max-w-prose rounded-box border border-base-300 px-4 py-3',
      isMine ? 'ms-6 self-end bg-base-200' : 'me-6 self-start',
    )}
  >
    <p className="flex flex-wrap gap-x-2 text-sm text-muted">
      <span dir="auto" className="font-semibold break-words text-base-content">
        {writer}
      </span>
      <Time at={message.at} as="moment" />
    </p>
    {message.isForgotten || message.isHidden ? (
      <p className="mt-1 text-muted italic">{message.isHidden ? HIDDEN : FORGOTTEN}</p>
    ) : (
      message.text !== '' && (
        <p dir="auto" className="mt-1 break-words whitespace-pre-line">
          {message.text}
        </p>
      )
    )}
    <PrivatePhotos photos={message.photos} of={`of ${isMine ? 'your' : 'this'} message`} />
    {message.leadsOutside && <LeadsOutside isMine={isMine} />}
    {!isMine && canReport && !message.isForgotten && !message.isHidden && (
      <a href={reportPath('message', message._id)} className="mt-1 inline-block py-1 text-sm text-link">
        Report
      </a>
    )}
  </li>
);

interface FormProps {
  words: Words;
  /** Sends it once, however often it is tried with the same key. */
  send: (draft: MessageDraft, idempotencyKey: string) => Promise<void>;
}

const NAMES = ['text'] as const;

/** A form for one message, with photos where they are wanted. */
export const MessageForm = ({ words, send }: FormProps) => {
  const photos = usePhotoQueue();
  const { queue, items } = photos;
  const [showsPhotos, setShowsPhotos] = useState(false);
  // One key for a message however often it is sent; another one is another message.
  const sending = useRef({ draft: '', key: '' });
  const form = useForm({
    names: NAMES,
    check: ({ text }): FieldErrors =>
      text.trim() === '' && queue.items().length === 0 ? { text: 'Write something first' } : {},
    send: async ({ text }, element) => {
      const ids = await arrivedIn(queue);
      const draft = { text, ...(ids.length > 0 && { photos: ids }) };
      const said = JSON.stringify(draft);
      if (sending.current.draft !== said) sending.current = { draft: said, key: newIdempotencyKey() };
      await send(draft, sending.current.key);
      sending.current = { draft: '', key: '' };
      element.reset();
      for (const { id } of queue.items()) queue.remove(id);
      setShowsPhotos(false);
      toast(`${capital(words.one)} sent`);
    },
  });
  return (
    <form {...form.props} className="flex flex-col gap-3">
      <TextArea
        {...form.field('text')}
        label={`Your ${words.one}`}
        hint={words.hint}
        rows={3}
        maxLength={MAX_MESSAGE_LENGTH}
      />
      {showsPhotos && <PhotoPicker queue={queue} items={items} isOfCopy={false} hint="Only the two of you see them." />}
      {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
      <div className="flex flex-wrap gap-3">
        <Button {...form.button} look="secondary">
          Send {words.one}
        </Button>
        {!showsPhotos && (
          <Button look="quiet" disabled={form.button.disabled} onClick={() => setShowsPhotos(true)}>
            Add photos
          </Button>
        )}
      </div>
    </form>
  );
};

interface Props extends FormProps {
  first: Page<Message>;
  read: (cursor: string) => Promise<Page<Message>>;
  /** What each side is called. */
  names: Readonly<Record<ThreadSide, string>>;
  /** Whose eyes these are; undefined for an admin, who only reads. */
  side: ThreadSide | undefined;
  mayWrite: boolean;
  /** Marks them as read, up to and with one. */
  onRead: (upTo: string) => void;
}

/** What two people wrote to each other, the oldest first, and a form for one more. */
export const Conversation = ({ first, read, names, side, words, mayWrite, send, onRead }: Props) => {
  const list = useMore(first, read, { keepPlace: true });
  const newest = first.rows.find(({ by }) => by !== side)?._id;
  useEffect(() => {
    if (newest !== undefined && side !== undefined) onRead(newest);
  }, [newest, side, onRead]);
  return (
    <>
      {list.failure !== undefined && <Notice tone="error">{list.failure}</Notice>}
      {list.hasMore && (
        <Button look="quiet" busy={list.busy} className="self-center" onClick={() => void list.more()}>
          Earlier {words.many}
        </Button>
      )}
      <div role="log" aria-label={capital(words.many)} className="contents">
        {list.rows.length > 0 && (
          <ol aria-label={`${capital(words.many)}, the oldest first`} className="flex flex-col gap-3">
            {list.rows.toReversed().map((message) => (
              <MessageItem
                key={message._id}
                message={message}
                writer={message.by === side ? 'You' : names[message.by]}
                isMine={message.by === side}
                canReport={side !== undefined}
              />
            ))}
          </ol>
        )}
      </div>
      {list.rows.length === 0 && <p className="text-muted">{words.nothing}</p>}
      {mayWrite && <MessageForm words={words} send={send} />}
    </>
  );
};
