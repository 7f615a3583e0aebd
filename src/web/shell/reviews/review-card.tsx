import { REVIEW_FACTS, type Review, type ReviewFact } from '#contract/orders/reviews.ts';
import { reportPath } from '#web/shell/data/report-path.ts';
import { Time } from '#web/shell/data/time.tsx';
import { classes } from '#web/ui/classes.ts';
import { StarIcon } from '#web/shell/reviews/star-icon.tsx';

/** So many of five stars, said in words to who does not see them. */
export const Stars = ({ of }: { of: number }) => (
  <span role="img" aria-label={`${of} of 5 stars`} className="inline-flex text-primary">
    {[1, 2, 3, 4, 5].map((star) => (
      <StarIcon key={star} className={classes('size-5', star <= of ? 'fill-current' : 'opacity-40')} />
    ))}
  </span>
);

type Said = Pick<Review, 'stars' | ReviewFact | 'words' | 'at' | 'reply'>;

/** What a review says of the parcel, in a line; empty where nothing was said. */
export const factWords = (review: Pick<Review, ReviewFact>): string =>
  REVIEW_FACTS.flatMap(({ name, yes, no }) => {
    const said = review[name];
    return said === null ? [] : [said ? yes : no];
  }).join(' · ');

/** What somebody says of a sale, and the reply to it. */
export const ReviewCard = ({
  review,
  from,
  of,
  replyFrom,
  reported,
}: {
  review: Said;
  /** Who wrote it, in words. */
  from: string;
  /** The book it is about; absent where the page says that. */
  of?: string;
  replyFrom: string;
  /** By what it is reported; absent where nobody can. */
  reported?: string;
}) => {
  const facts = factWords(review);
  return (
    <div className="flex flex-col gap-1">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Stars of={review.stars} />
        {facts !== '' && <span className="text-sm">{facts}</span>}
      </p>
      {review.words !== '' && (
        <p dir="auto" className="max-w-prose break-words whitespace-pre-line">
          {review.words}
        </p>
      )}
      <p className="text-sm break-words text-muted">
        {from}
        {of !== undefined && (
          <>
            {' · '}
            <span dir="auto">{of}</span>
          </>
        )}
        {' · '}
        <Time at={review.at} as="date" />
        {reported !== undefined && (
          <>
            {' · '}
            <a href={reportPath('review', reported)} rel="nofollow" className="text-link">
              Report
            </a>
          </>
        )}
      </p>
      {review.reply !== '' && (
        <div className="mt-2 border-s-2 border-base-300 ps-3">
          <p className="text-sm font-semibold">{replyFrom} replied</p>
          <p dir="auto" className="max-w-prose break-words whitespace-pre-line">
            {review.reply}
          </p>
        </div>
      )}
    </div>
  );
};
