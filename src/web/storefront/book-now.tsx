import { Form, useSearchParams } from 'react-router';
import type { Listing } from '#contract/catalog.ts';
import { buttonClass, type ButtonLook } from '#web/ui/button.tsx';
import { BOOK } from './book-param.ts';

type Bookable = Pick<Listing, '_id' | 'title' | 'status'>;

/** Books a free copy, or joins the line behind a reserved one: a real button that also works as a plain GET form while the page is still coming alive. */
export const BookNow = ({ listing, look }: { listing: Bookable; look: ButtonLook }) => {
  const [params] = useSearchParams();
  const cursor = params.get('cursor');
  const isFree = listing.status === 'Available';
  if (listing.status === 'Sold') {
    return (
      <button type="button" disabled className={buttonClass('secondary', 'md', 'w-full disabled:text-muted')}>
        {listing.status}
      </button>
    );
  }
  return (
    <Form method="get" preventScrollReset>
      {cursor !== null && <input type="hidden" name="cursor" value={cursor} />}
      <button
        type="submit"
        name={BOOK}
        value={listing._id}
        className={buttonClass(isFree ? look : 'secondary', 'md', 'w-full')}
      >
        {isFree ? 'Book Now' : 'Join the line'}
        <span className="sr-only"> {listing.title}</span>
      </button>
    </Form>
  );
};
