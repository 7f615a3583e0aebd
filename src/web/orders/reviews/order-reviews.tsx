import { useState } from 'react';
import { useRevalidator } from 'react-router';
import type { FieldErrors } from '#contract/errors.ts';
import type { Order } from '#contract/orders/orders.ts';
import { MAX_REPLY_LENGTH, replyToReview, type OrderReviews as Reviews } from '#contract/orders/reviews.ts';
import { call } from '#web/api/call.ts';
import { Time } from '#web/shell/data/time.tsx';
import { useForm } from '#web/shell/forms/use-form.ts';
import { ReviewCard } from '#web/shell/reviews/review-card.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextArea } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { ReviewForm } from './review-form.tsx';

const ReplyForm = ({ id, onDone }: { id: string; onDone: () => Promise<void> }) => {
  const form = useForm({
    names: ['text'] as const,
    check: ({ text }): FieldErrors => (text.trim() === '' ? { text: 'Write something first' } : {}),
    send: async ({ text }) => {
      const { state } = await call(replyToReview, { params: { id }, body: { text } });
      toast('Reply saved', {
        ...(state === 'held' && { text: 'It names a link or a contact: an admin looks at it before it is shown.' }),
      });
      await onDone();
    },
  });
  return (
    <form {...form.props} className="flex flex-col gap-3">
      <TextArea
        {...form.field('text')}
        label="Your reply"
        hint="Everybody reads it below the review. You can reply once."
        rows={3}
        maxLength={MAX_REPLY_LENGTH}
      />
      {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
      <Button {...form.button} look="secondary" className="sm:self-start">
        Reply
      </Button>
    </form>
  );
};

const standingOf = ({ mine, writeBy }: Reviews, other: string): string => {
  if (mine === null) return '';
  if (mine.isRemoved) return 'It is not shown: an admin has looked at it.';
  if (mine.isHeld) return 'It names a link or a contact: an admin looks at it before it is shown.';
  if (mine.isShown) return 'It is shown.';
  return `It is shown once ${other} has written as well, or a week after you wrote.${writeBy === null ? '' : ' Until then you can change it.'}`;
};

/** What the two sides of a closed order say of each other: the viewer's own, and the other's once it is shown. */
export const OrderReviews = ({ order, reviews }: { order: Order; reviews: Reviews }) => {
  const { revalidate } = useRevalidator();
  const [isChanging, setChanging] = useState(false);
  const { mine, theirs, writeBy, mayReply, isReplyHeld } = reviews;
  if (order.side === 'admin' || (mine === null && theirs === null && writeBy === null)) return null;
  const other = order.side === 'buyer' ? order.seller : order.buyer;
  const done = async (): Promise<void> => {
    await revalidate();
    setChanging(false);
  };
  const mayWrite = writeBy !== null;
  return (
    <section
      id="reviews"
      aria-labelledby="reviews-heading"
      className="flex scroll-mt-4 flex-col gap-5 rounded-box border border-base-300 bg-base-100 p-5 print:hidden"
    >
      <h2 id="reviews-heading" className="font-serif text-xl font-semibold">
        {mine === null && mayWrite ? `How was it with ${other}?` : 'Reviews'}
      </h2>
      {mine !== null && (
        <div className="flex flex-col gap-2">
          <h3 className="text-sm text-muted">Yours of {other}</h3>
          {!isChanging && <ReviewCard review={mine} from="You" replyFrom={other} />}
          <p className="text-sm text-muted">{standingOf(reviews, other)}</p>
          {mayWrite && !isChanging && (
            <Button look="secondary" size="sm" className="self-start" onClick={() => setChanging(true)}>
              Change it
            </Button>
          )}
        </div>
      )}
      {mayWrite && (mine === null || isChanging) && (
        <>
          {mine === null && (
            <p className="text-muted">
              You can write until <Time at={writeBy} as="date" />. {other} reads it once they have written as well, or
              after a week.
            </p>
          )}
          <ReviewForm order={order} mine={mine} onDone={done} />
        </>
      )}
      {theirs !== null && (
        <div className="flex flex-col gap-3">
          <h3 className="text-sm text-muted">Of you, by {other}</h3>
          <ReviewCard review={theirs} from={other} replyFrom="You" />
          {isReplyHeld && (
            <p className="text-sm text-muted">
              Your reply names a link or a contact: an admin looks at it before it is shown.
            </p>
          )}
          {mayReply && <ReplyForm id={theirs._id} onDone={done} />}
        </div>
      )}
    </section>
  );
};
