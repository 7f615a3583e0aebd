import { redirect, useNavigate } from 'react-router';
import { readListing, type ListingDetail } from '#contract/catalog/catalog.ts';
import type { MessageDraft } from '#contract/messages/messages.ts';
import { askSeller, listThreads } from '#contract/messages/threads.ts';
import { formatDollars } from '#contract/money/money.ts';
import { call } from '#web/api/call.ts';
import type { Api } from '#web/api/client.ts';
import { MessageForm } from '#web/shell/messages/conversation.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Notice } from '#web/ui/states.tsx';

/** What a first message to a seller needs. */
export interface Asking {
  readonly listing: ListingDetail;
  readonly isOwn: boolean;
}

/** The copy that is asked about; whoever has asked before goes on where they were. */
export const loadAsking = async (api: Api, id: string, userId: string): Promise<Asking> => {
  const [listing, { rows }] = await Promise.all([
    api.call(readListing, { params: { id } }),
    api.callPage(listThreads, { query: { listing: id } }),
  ]);
  const known = rows.find(({ side, orderId }) => side === 'buyer' && orderId === null);
  if (known !== undefined) throw redirect(`/dashboard/messages/${known._id}`);
  return { listing, isOwn: listing.seller_id === userId };
};

const Refused = ({ listing, isOwn }: { listing: ListingDetail; isOwn: boolean }) => (
  <Notice
    title={isOwn ? 'This is your own book' : 'This copy is sold'}
    action={
      <a
        href={isOwn ? '/dashboard/messages' : `/search?q=${encodeURIComponent(listing.title)}`}
        className={buttonClass('secondary')}
      >
        {isOwn ? 'Your messages' : 'Look for another copy'}
      </a>
    }
  >
    {isOwn
      ? 'Whoever asks about it stands in your messages.'
      : 'Its seller can be asked about what they have for sale.'}
  </Notice>
);

/** A first message to the seller of a copy. */
export const Ask = ({ asking: { listing, isOwn } }: { asking: Asking }) => {
  const navigate = useNavigate();
  const send = async (body: MessageDraft, idempotencyKey: string): Promise<void> => {
    const { threadId } = await call(askSeller, { params: { id: listing._id }, body }, { idempotencyKey });
    await navigate(`/dashboard/messages/${threadId}`, { replace: true });
  };
  return (
    <div className="max-w-3xl">
      <PageHeading title={`Message ${listing.Seller}`}>
        About{' '}
        <a dir="auto" href={`/book/${listing._id}`} className="text-link">
          {listing.title}
        </a>
        , {listing.condition}, {formatDollars(listing.resale_price)}
      </PageHeading>
      {isOwn || listing.status === 'Sold' ? (
        <Refused listing={listing} isOwn={isOwn} />
      ) : (
        <MessageForm
          words={{
            one: 'message',
            many: 'messages',
            hint: `${listing.Seller} gets a mail that there is one. Your address and phone number stay yours.`,
            nothing: '',
          }}
          send={send}
        />
      )}
    </div>
  );
};
