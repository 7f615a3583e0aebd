import type { Review } from '#contract/orders/reviews.ts';
import { listSellerReviews, type SellerPage } from '#contract/sellers/sellers.ts';
import { callPage } from '#web/api/call.ts';
import { useMore, type Page } from '#web/shell/data/use-more.ts';
import { ReviewCard, Stars } from '#web/shell/reviews/review-card.tsx';
import { Button } from '#web/ui/button.tsx';
import { averageOf, reviewCount } from './record.tsx';
import { Notice } from '#web/ui/states.tsx';

const writerOf = ({ author, by }: Review): string =>
  `${author === '' ? 'Somebody who has left' : author}${by === 'seller' ? ', who sold to them' : ''}`;

/** What is said of a seller. */
export const SellerReviews = ({ seller, first }: { seller: SellerPage; first: Page<Review> }) => {
  const { slug, name, sums } = seller;
  const list = useMore(first, (cursor) => callPage(listSellerReviews, { params: { slug }, query: { cursor } }), {
    keepPlace: true,
  });
  if (sums.reviews === 0) return <p className="text-muted">Nobody has reviewed {name} yet.</p>;
  return (
    <>
      <p className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-1">
        <Stars of={Math.round(sums.stars / sums.reviews)} />
        <span>
          {averageOf(sums)} of 5, {reviewCount(sums.reviews)}
        </span>
      </p>
      <ul className="flex flex-col divide-y divide-base-300">
        {list.rows.map((review) => (
          <li key={review._id} className="py-4 first:pt-0">
            <ReviewCard
              review={review}
              from={writerOf(review)}
              of={review.title}
              replyFrom={name}
              reported={review._id}
            />
          </li>
        ))}
      </ul>
      {list.failure !== undefined && <Notice tone="error">{list.failure}</Notice>}
      {list.hasMore && (
        <Button look="secondary" busy={list.busy} className="mt-2" onClick={() => void list.more()}>
          More reviews
        </Button>
      )}
    </>
  );
};
