import { Form, useSearchParams } from 'react-router';
import type { Listing } from '#contract/catalog.ts';
import { buttonClass, type ButtonLook } from '#web/ui/button.tsx';
import { BOOK } from './book-param.ts';

/** A real button that also works as a plain GET form while the page is still coming alive. */
export const BookNow = ({ listing, look }: { listing: Listing; look: ButtonLook }) => {
  const [params] = useSearchParams();
  const cursor = params.get('cursor');
  if (listing.status !== 'Available') {
    return (
      <button type="button" disabled className={buttonClass('secondary', 'md', 'w-full disabled:text-muted')}>
        {listing.status}
      </button>
    );
  }
  return (
    <Form method="get" preventScrollReset>
      {cursor !== null && <input type="hidden" name="cursor" value={cursor} />}
      <button type="submit" name={BOOK} value={listing._id} className={buttonClass(look, 'md', 'w-full')}>
        Book Now<span className="sr-only"> {listing.title}</span>
      </button>
    </Form>
  );
};
