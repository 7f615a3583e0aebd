import type { ReactNode } from 'react';
import { Form, useSearchParams } from 'react-router';
import type { Listing } from '#contract/catalog/catalog.ts';
import type { Standing } from '#contract/bookings/standing.ts';
import { BOOK } from '#web/shell/data/return-path.ts';
import { buttonClass, type ButtonLook } from '#web/ui/button.tsx';
import { useStanding } from './use-standing.ts';

type Bookable = Pick<Listing, '_id' | 'title' | 'status'>;

interface StepProps {
  /** The copy. */
  id: string;
  look: ButtonLook;
  className: string;
  children: ReactNode;
}

const FORM_ID = 'booking';

/** The form of all buttons that open the dialog about a copy: they also work while the page is still coming alive. */
export const BookForm = () => {
  const [params] = useSearchParams();
  // A form replaces the whole query: what the page shows by it, such as a search, goes along.
  const others = [...params].filter(([key]) => key !== BOOK);
  return (
    <Form id={FORM_ID} method="get" preventScrollReset hidden>
      {others.map(([key, value], place) => (
        <input key={`${place} ${key}`} type="hidden" name={key} value={value} />
      ))}
    </Form>
  );
};

const Open = ({ id, look, className, children }: StepProps) => (
  <button type="submit" form={FORM_ID} name={BOOK} value={id} className={buttonClass(look, 'md', className)}>
    {children}
  </button>
);

/** What can be done about a copy, wherever it stands on the page. */
export const stepOf = (id: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[name="${BOOK}"][value="${id}"], [data-step="${id}"]`);

const Go = ({ id, look, className, to, children }: StepProps & { to: string }) => (
  <a href={to} data-step={id} className={buttonClass(look, 'md', className)}>
    {children}
  </a>
);

const Shut = ({ className, children }: { className: string; children: ReactNode }) => (
  <button type="button" disabled className={buttonClass('secondary', 'md', `${className} disabled:text-muted`)}>
    {children}
  </button>
);

/**
 * What cannot be done, and beside it what can: the same two boxes for everybody, so that nothing moves once it is known
 * who looks.
 */
const Pair = ({ shut, children }: { shut: ReactNode; children: ReactNode }) => (
  <div className="flex flex-wrap gap-2">
    <Shut className="flex-1 whitespace-nowrap">{shut}</Shut>
    {children}
  </div>
);

const HALF = 'flex-1 whitespace-nowrap';

const titleOf = ({ title }: Bookable): ReactNode => <span className="sr-only">{` ${title}`}</span>;

/** What can be done about a copy that is something to the viewer already; undefined: what everybody can. */
const ownStep = (listing: Bookable, standing: Standing, width: string): ReactNode => {
  const { _id: id, status } = listing;
  const title = titleOf(listing);
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
        <Go id={id} to="/dashboard/my_orders" look="secondary" className={width}>
          See your order<span className="sr-only"> of {listing.title}</span>
        </Go>
      );
    case 'own':
      if (status === 'Available') {
        return (
          <Go id={id} to={`/dashboard/edit_product/${id}`} look="secondary" className={width}>
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

interface BookNowProps {
  listing: Bookable;
  look: ButtonLook;
  /** Whether a single button is as wide as what it stands in. */
  isWide?: boolean;
}

/**
 * What can be done about a copy: book it, or join the waiting list of a reserved one; pay for what is reserved for the
 * viewer.
 */
export const BookNow = ({ listing, look, isWide = true }: BookNowProps) => {
  const { _id: id, status } = listing;
  const standing = useStanding(id);
  const width = isWide ? 'w-full' : '';
  const own = standing === undefined ? undefined : ownStep(listing, standing, width);
  if (own !== undefined) return own;
  const title = titleOf(listing);
  if (status === 'Sold') return <Shut className={width}>{status}</Shut>;
  if (status === 'Available') {
    return (
      <Open id={id} look={look} className={width}>
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
