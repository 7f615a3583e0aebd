import { useState } from 'react';
import { Link, useRevalidator } from 'react-router';
import { decideHeldReview, listHeldReviews, type HeldReview } from '#contract/orders/reviews.ts';
import { call, callPage } from '#web/api/call.ts';
import { Time } from '#web/shell/data/time.tsx';
import { useMore, type Page } from '#web/shell/data/use-more.ts';
import { Reasoned } from '#web/shell/forms/reasoned.tsx';
import { ListEnd } from '#web/ui/list-end.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { RowAction } from '#web/admin/row-action.tsx';
import { Button } from '#web/ui/button.tsx';

const decide = ({ _id: id, what }: HeldReview, allow: boolean, reason: string) =>
  call(decideHeldReview, { params: { id }, body: { what, allow, reason } });

const titleOf = ({ what, author, about }: HeldReview): string =>
  what === 'review' ? `${author} about ${about}` : `${author} replies to ${about}`;

const Row = ({ held, onAllow, onRemove }: { held: HeldReview; onAllow: () => Promise<void>; onRemove: () => void }) => (
  <li className="flex flex-col gap-2 p-4">
    <p className="text-sm text-muted">
      <span className="font-semibold break-words text-base-content">{titleOf(held)}</span>
      {held.what === 'review' && ` · ${held.stars} of 5 stars`} · <Time at={held.at} as="moment" />
    </p>
    <blockquote dir="auto" className="border-s-2 border-base-300 ps-3 break-words whitespace-pre-line">
      {held.text}
    </blockquote>
    <div className="flex flex-wrap items-center gap-3">
      <RowAction label="Show it" name={titleOf(held)} act={onAllow} />
      <Button look="quiet-danger" size="sm" onClick={onRemove}>
        Remove<span className="sr-only">: {titleOf(held)}</span>
      </Button>
      <Link to={`/dashboard/orders/${held.orderId}`} className="py-2 text-link">
        Its order
      </Link>
    </div>
  </li>
);

/** Reviews and replies that name a link or a contact: nobody sees them before an admin has looked. */
export const HeldReviews = ({ first }: { first: Page<HeldReview> }) => {
  const list = useMore(first, (cursor) => callPage(listHeldReviews, { query: { cursor } }), { keepPlace: true });
  const { revalidate } = useRevalidator();
  const [asked, setAsked] = useState<HeldReview>();
  return (
    <section id="held" aria-labelledby="held-heading" className="mb-8 scroll-mt-4">
      <h2 id="held-heading" className="mb-3 font-serif text-xl font-semibold">
        Reviews to look at
      </h2>
      {list.rows.length === 0 ? (
        <p className="text-muted">None. Reviews and replies that name a link or a contact appear here.</p>
      ) : (
        <>
          <ul
            aria-label="Reviews to look at, the oldest first"
            className="divide-y divide-base-300 rounded-box border border-base-300 bg-base-100"
          >
            {list.rows.map((held) => (
              <Row
                key={`${held._id} ${held.what}`}
                held={held}
                onAllow={async () => {
                  await decide(held, true, '');
                  toast('It is shown');
                  await revalidate();
                }}
                onRemove={() => setAsked(held)}
              />
            ))}
          </ul>
          <ListEnd list={list} />
        </>
      )}
      <Reasoned
        of={asked}
        title={asked?.what === 'reply' ? 'Remove this reply?' : 'Remove this review?'}
        confirmLabel="Remove"
        hint="Its writer reads this."
        act={async (held, reason) => {
          await decide(held, false, reason);
          toast('Removed');
          await revalidate();
        }}
        onClose={() => setAsked(undefined)}
      >
        Nobody reads it any more, and its writer is told why.
      </Reasoned>
    </section>
  );
};
