import { useCallback, useState } from 'react';
import {
  Link,
  redirect,
  useLoaderData,
  useRevalidator,
  type ClientLoaderFunctionArgs,
  type MetaFunction,
} from 'react-router';
import type { Message, MessageDraft } from '#contract/messages/messages.ts';
import {
  listThreadMessages,
  markThreadRead,
  readThread,
  setThread,
  writeInThread,
  type Thread,
} from '#contract/messages/threads.ts';
import { ApiError, messageOf } from '#web/api/api-error.ts';
import { call, callPage } from '#web/api/call.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import type { Missing } from '#web/shell/data/load.ts';
import { SellerLink } from '#web/shell/data/seller-link.tsx';
import type { Page } from '#web/shell/data/use-more.ts';
import { useRefreshOnFocus } from '#web/shell/data/use-refresh-on-focus.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { Conversation } from '#web/shell/messages/conversation.tsx';
import { refreshUnreadMessages, useMessageNews } from '#web/shell/messages/news.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { END_WORDS, otherSide } from './thread-words.ts';

export const meta: MetaFunction = () => pageMeta('Conversation');

const MISSING: Missing = {
  message: 'There is no such conversation of yours. It may have been held with another account.',
  next: { to: '/dashboard/messages', label: 'Messages' },
};

export const clientLoader = ({ request, params }: ClientLoaderFunctionArgs) => {
  const id = params['id'] ?? '';
  return loadSignedIn(
    request,
    async (api) => {
      const [thread, messages] = await Promise.all([
        api.call(readThread, { params: { id } }),
        api.callPage(listThreadMessages, { params: { id }, query: {} }),
      ]);
      // It goes on where the order is.
      if (thread.orderId !== null) throw redirect(`/dashboard/orders/${thread.orderId}#notes`);
      return { thread, messages };
    },
    undefined,
    MISSING,
  );
};

/** Quiet, or an end of it: each is taken back by the same button. */
const Settings = ({ thread }: { thread: Thread }) => {
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const { _id: id, isMuted, isBlocked } = thread;
  const set = async (to: Partial<Pick<Thread, 'isMuted' | 'isBlocked'>>, done: string): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await call(setThread, { params: { id }, body: { isMuted, isBlocked, ...to } });
      await revalidate();
      void refreshUnreadMessages();
      toast(done);
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="flex flex-col gap-3">
      {failure !== undefined && <Notice tone="error">{failure}</Notice>}
      <div className="flex flex-wrap gap-3">
        <Button
          look="quiet"
          disabled={busy}
          onClick={() => void set({ isMuted: !isMuted }, isMuted ? 'You hear of it again' : 'Muted')}
        >
          {isMuted ? 'Unmute' : 'Mute'}
        </Button>
        <Button
          look="quiet"
          disabled={busy}
          onClick={() => void set({ isBlocked: !isBlocked }, isBlocked ? 'Unblocked' : 'Blocked')}
        >
          {isBlocked ? `Unblock ${otherSide(thread)}` : `Block ${otherSide(thread)}`}
        </Button>
      </div>
      <p className="text-sm text-muted">
        Muted, a conversation is neither mailed nor counted. Who is blocked cannot write to you but about an order. What
        breaks the rules is reported beside it.
      </p>
    </div>
  );
};

const About = ({ thread }: { thread: Thread }) => (
  <div className="mb-6">
    <Link to="/dashboard/messages" className="inline-block py-2.5 text-link">
      Messages
    </Link>
    <h1 dir="auto" className="font-serif text-3xl font-semibold break-words">
      <SellerLink name={otherSide(thread)} slug={thread.side === 'buyer' ? thread.sellerSlug : ''} />
    </h1>
    <p className="mt-1 break-words text-muted">
      About{' '}
      <a dir="auto" href={`/book/${thread.listingId}`} className="text-link">
        {thread.title}
      </a>
    </p>
  </div>
);

const ThreadView = ({ thread, messages }: { thread: Thread; messages: Page<Message> }) => {
  const { _id: id, side, end } = thread;
  const { revalidate } = useRevalidator();
  const look = useCallback(() => void revalidate(), [revalidate]);
  useMessageNews(id, look);
  const onRead = useCallback(
    (upTo: string) => {
      // Failing it stays new, which is no harm.
      call(markThreadRead, { params: { id }, body: { upTo } })
        .then(refreshUnreadMessages)
        .catch(() => undefined);
    },
    [id],
  );
  const send = async (body: MessageDraft, idempotencyKey: string): Promise<void> => {
    try {
      await call(writeInThread, { params: { id }, body }, { idempotencyKey });
    } catch (error) {
      // It may have ended since the page was read: then there is no form any more.
      if (error instanceof ApiError && error.code === 'thread_closed') await revalidate();
      throw error;
    }
    await revalidate();
  };
  return (
    <div className="max-w-3xl">
      <About thread={thread} />
      <div className="flex flex-col gap-4">
        <Conversation
          first={messages}
          read={(cursor) => callPage(listThreadMessages, { params: { id }, query: { cursor } })}
          names={{ buyer: otherSide(thread), seller: otherSide(thread) }}
          side={side}
          words={{
            one: 'message',
            many: 'messages',
            hint: 'They get a mail that there is one. Your address and phone number stay yours.',
            nothing: 'Nothing yet.',
          }}
          mayWrite={end === null}
          send={send}
          onRead={onRead}
        />
        {end !== null && <Notice>{END_WORDS[end]}</Notice>}
        <Settings thread={thread} />
      </div>
    </div>
  );
};

const ThreadPage = () => {
  const { thread, messages } = useLoaderData<typeof clientLoader>();
  useRefreshOnFocus();
  return <ThreadView key={thread._id} thread={thread} messages={messages} />;
};
export default ThreadPage;
