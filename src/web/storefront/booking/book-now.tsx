import type { ReactNode } from 'react';
import { Form, Link, useSearchParams } from 'react-router';
import type { Listing } from '#contract/catalog/catalog.ts';
import type { Standing } from '#contract/bookings/standing.ts';
import { buttonClass, type ButtonLook } from '#web/ui/button.tsx';
import { BOOK } from './book-param.ts';
import { useStanding } from './use-standing.ts';

type Bookable = Pick<Listing, '_id' | 'title' | 'status'>;

interface StepProps {
  /** The copy. */
  id: string;
  look: ButtonLook;
  className: string;
  children: ReactNode;
}

/** Opens the dialog about a copy: a real button that also works as a plain GET form while the page is still coming alive. */
const Open = ({ id, look, className, children }: StepProps) => {
  const [params] = useSearchParams();
  // A form replaces the whole query: what the page shows by it, such as a search, goes along.
  const others = [...params].filter(([key]) => key !== BOOK);
  return (
    <Form method="get" preventScrollReset className={className}>
      {others.map(([key, value], place) => (
        <input key={`${place} ${key}`} type="hidden" name={key} value={value} />
      ))}
      <button type="submit" name={BOOK} value={id} data-step={id} className={buttonClass(look, 'md', 'w-full')}>
        {children}
      </button>
    </Form>
  );
};

const Go = ({ id, look, className, to, children }: StepProps & { to: string }) => (
  <Link to={to} data-step={id} className={buttonClass(look, 'md', className)}>
    {children}
  </Link>
);

const Shut = ({ className, children }: { className: string; children: ReactNode }) => (
  <button type="button" disabled className={buttonClass('secondary', 'md', `${className} disabled:text-muted`)}>
    {children}
  </button>
);

/** What cannot be done, and beside it what can: the same two boxes for everybody, so that nothing moves once it is known who looks. */
const Pair = ({ shut, children }: { shut: ReactNode; children: ReactNode }) => (
  <div className="flex flex-wrap gap-2">
    <Shut className="flex-1 whitespace-nowrap">{shut}</Shut>
    {children}
  </div>
);

const HALF = 'flex-1 whitespace-nowrap';

/** What can be done about a copy that is something to the viewer already; undefined: what everybody can. */
const ownStep = (listing: Bookable, standing: Standing): ReactNode => {
  const { _id: id, status } = listing;
  const title = <span className="sr-only"> {listing.title}</span>;
  switch (standing.kind) {
    case 'held':
      return (
        <Pair shut={<>Booked{title}</>}>
          <Go id={id} to={`/dashboard/payment/${standing.bookingId}`} look="primary" className={HALF}>
            Pay now<span className="sr-only"> for {listing.title}</span>
          </Go>
        </Pair>
      );
    case 'bought':
      return (
        <Go id={id} to="/dashboard/my_orders" look="secondary" className="w-full">
          See your order<span className="sr-only"> of {listing.title}</span>
        </Go>
      );
    case 'own':
      if (status === 'Available') {
        return (
          <Go id={id} to={`/dashboard/edit_product/${id}`} look="secondary" className="w-full">
            Edit your listing<span className="sr-only"> of {listing.title}</span>
          </Go>
        );
      }
      return (
        <Pair shut={status}>
          <Go id={id} to="/dashboard/my_buyers" look="secondary" className={HALF}>
            See My Buyers
          </Go>
        </Pair>
      );
    case 'waiting':
      if (status !== 'Reserved') return undefined;
      return (
        <Pair shut={<>Book Now{title}</>}>
          <Open id={id} look="secondary" className={HALF}>
            On waiting list{title}
          </Open>
        </Pair>
      );
    default:
      return standing.kind satisfies never;
  }
};

/** What can be done about a copy: book it, or join the waiting list of a reserved one; pay for what is reserved for the viewer. */
export const BookNow = ({ listing, look }: { listing: Bookable; look: ButtonLook }) => {
  const { _id: id, status } = listing;
  const standing = useStanding(id);
  const own = standing === undefined ? undefined : ownStep(listing, standing);
  if (own !== undefined) return own;
  const title = <span className="sr-only"> {listing.title}</span>;
  if (status === 'Sold') return <Shut className="w-full">{status}</Shut>;
  if (status === 'Available') {
    return (
      <Open id={id} look={look} className="w-full">
        Book Now{title}
      </Open>
    );
  }
  return (
    <Pair shut={<>Book Now{title}</>}>
      <Open id={id} look="secondary" className={HALF}>
        Join waiting list{title}
      </Open>
    </Pair>
  );
};
