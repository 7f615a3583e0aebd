import { useState, type ReactNode } from 'react';
import { useRevalidator } from 'react-router';
import { cancelBooking, type Booking } from '#contract/bookings/bookings.ts';
import { photoPath } from '#contract/catalog/photo-path.ts';
import { photoAlt } from '#contract/catalog/photo-words.ts';
import { statedOtherwise } from '#contract/catalog/passport/passport-statements.ts';
import { formatDollars } from '#contract/money/money.ts';
import { acceptCopy, type CopyChange } from '#contract/bookings/promise.ts';
import { ApiError, messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { Button } from '#web/ui/button.tsx';
import { Cover } from '#web/ui/cover.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';

type Terms = CopyChange['now'];

const LABELS = {
  title: 'Title',
  authors: 'Authors',
  isbn13: 'ISBN',
  published_year: 'Year',
  publisher: 'Publisher',
  condition: 'Condition',
  passport: 'What is said of it',
  details: 'Details',
  image_url: 'Picture',
  photos: 'Photos',
  price: 'Price',
} as const satisfies Record<keyof Terms, string>;

const FIELDS = Object.keys(LABELS) as (keyof Terms)[];

/** One line of what changed. */
interface Row {
  readonly label: string;
  readonly before: ReactNode;
  readonly after: ReactNode;
}

const NONE = <span className="text-muted">None</span>;
const NOTHING = <span className="text-muted">Nothing said</span>;

const shown = (field: Exclude<keyof Terms, 'passport'>, terms: Terms, booking: Booking): ReactNode => {
  switch (field) {
    case 'price':
      return terms.price === undefined ? '' : formatDollars(terms.price);
    case 'image_url': {
      const { title, authors } = booking;
      if (!terms.image_url) return NONE;
      return <Cover title={title} authors={authors} imageUrl={terms.image_url} className="w-16" />;
    }
    case 'photos': {
      const { photos = [] } = terms;
      if (photos.length === 0) return NONE;
      return (
        <span className="flex flex-wrap gap-1">
          {photos.map(({ name, caption }, at) => (
            <img
              key={name}
              src={photoPath(name, 320)}
              alt={photoAlt(booking.title, { caption, sample: false }, at)}
              width={48}
              height={48}
              className="size-12 rounded-sm object-cover"
            />
          ))}
        </span>
      );
    }
    default:
      return terms[field] || NONE;
  }
};

const passportRows = ({ passport: then = null }: Terms, { passport: now = null }: Terms): Row[] =>
  statedOtherwise(then, now).map((one) => ({
    label: one.label,
    before: one.then ?? NOTHING,
    after: one.now ?? NOTHING,
  }));

const rowsOf = ({ then, now }: CopyChange, booking: Booking): Row[] =>
  FIELDS.filter((field) => field in now).flatMap((field) =>
    field === 'passport'
      ? passportRows(then, now)
      : [{ label: LABELS[field], before: shown(field, then, booking), after: shown(field, now, booking) }],
  );

/** What the seller changed since the buyer was promised the copy, side by side. */
const ThenAndNow = ({ change, booking }: { change: CopyChange; booking: Booking }) => (
  <table className="w-full table-fixed text-left text-sm">
    <caption className="sr-only">What has changed of {booking.title}</caption>
    <thead className="text-muted">
      <tr className="border-b border-base-300">
        <th scope="col" className="w-[5.5rem] py-1.5 pe-2 font-normal">
          <span className="sr-only">What</span>
        </th>
        <th scope="col" className="py-1.5 pe-3 font-normal">
          When you booked
        </th>
        <th scope="col" className="py-1.5 font-normal">
          Now
        </th>
      </tr>
    </thead>
    <tbody>
      {rowsOf(change, booking).map(({ label, before, after }) => (
        <tr key={label} className="border-b border-base-300 align-top last:border-b-0">
          <th scope="row" className="py-2 pe-2 font-normal break-words text-muted">
            {label}
          </th>
          <td className="py-2 pe-3 break-words whitespace-pre-line" dir="auto">
            {before}
          </td>
          <td className="py-2 font-semibold break-words whitespace-pre-line" dir="auto">
            {after}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** The copy is not what was promised any more: its buyer goes on with it as it is now, or gives it up. */
export const CopyChanged = ({ booking, change }: { booking: Booking; change: CopyChange }) => {
  const { revalidate } = useRevalidator();
  const [working, setWorking] = useState<'going on' | 'giving up'>();
  const [failure, setFailure] = useState<string>();
  const params = { id: booking._id };
  const run = async (what: 'going on' | 'giving up', work: () => Promise<unknown>): Promise<void> => {
    setWorking(what);
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      const isOld = error instanceof ApiError && error.code === 'copy_changed';
      setFailure(isOld ? 'The seller has changed it once more: look again.' : messageOf(error));
    }
    await revalidate();
    setWorking(undefined);
  };
  const goOn = () => call(acceptCopy, { params, body: { version: change.version } });
  const giveUp = async (): Promise<void> => {
    await call(cancelBooking, { params });
    toast('Booking cancelled', { text: `You gave up ${booking.title}. Nothing was charged.` });
  };
  return (
    <section aria-label={`${booking.title} has changed`} className="flex min-w-0 flex-col gap-4 text-start">
      <p className="font-semibold">
        The seller has changed this book since you booked it.{' '}
        <span className="font-normal">Nothing was charged. Do you want it as it is now?</span>
      </p>
      <ThenAndNow change={change} booking={booking} />
      <div className="flex flex-wrap gap-3">
        <Button
          busy={working === 'going on'}
          disabled={working === 'giving up'}
          onClick={() => void run('going on', goOn)}
        >
          Go on<span className="sr-only"> with {booking.title} as it is now</span>
        </Button>
        <Button
          look="secondary"
          busy={working === 'giving up'}
          disabled={working === 'going on'}
          onClick={() => void run('giving up', giveUp)}
        >
          Give up<span className="sr-only"> {booking.title}</span>
        </Button>
      </div>
      <p role="alert" className="text-sm text-error empty:hidden">
        {failure}
      </p>
    </section>
  );
};
