import type { BookingDetail } from '#contract/bookings/bookings.ts';
import { dollarsOf, formatDollars } from '#contract/money/money.ts';
import { formatTime } from '#contract/time.ts';
import { useTimeZone } from '#web/shell/data/use-time-zone.ts';
import { CheckField } from '#web/ui/check-field.tsx';
import { firstEnd, sumOf, whyNot } from './parcel.ts';
import type { Delivery } from './use-delivery.ts';

interface Props {
  /** The booking of the page. */
  booking: BookingDetail;
  /** What else its buyer has booked of the same seller and not paid. */
  others: readonly BookingDetail[];
  /** Those of them that are paid for with it. */
  chosen: readonly BookingDetail[];
  delivery: Delivery;
  onChoose: (id: string, isChosen: boolean) => void;
}

/** What adding a book to the parcel costs beside its price. */
const addedInWords = (without: readonly BookingDetail[], book: BookingDetail, country: string): string => {
  const cents = sumOf([...without, book], 'post', country).postageCents - sumOf(without, 'post', country).postageCents;
  if (cents === 0) return 'No more postage';
  const amount = formatDollars(dollarsOf(Math.abs(cents)));
  return cents > 0 ? `${amount} more postage` : `${amount} less postage`;
};

/** Other books of the seller that can be paid for at once. */
export const PayTogether = ({ booking, others, chosen, delivery, onChoose }: Props) => {
  const timeZone = useTimeZone();
  const { way, address } = delivery;
  const together = [booking, ...chosen];
  const end = firstEnd(together);
  const about = (other: BookingDetail): string | undefined => {
    const problem = whyNot(other, way, address.country);
    if (problem !== undefined || way === 'pickup') return problem;
    return addedInWords(
      together.filter(({ _id }) => _id !== other._id),
      other,
      address.country,
    );
  };
  return (
    <fieldset className="flex min-w-0 flex-col gap-1 rounded-field border border-base-300 bg-base-200 px-4 pt-2 pb-3">
      <legend className="px-1 text-sm font-semibold">
        {way === 'post' ? 'Pay together, one parcel' : 'Pay together, one pickup'}
      </legend>
      <p className="text-sm text-muted">
        You have booked {others.length === 1 ? 'another book' : 'other books'} of {booking.Seller}.
      </p>
      {others.map((other) => {
        const hint = about(other);
        return (
          <CheckField
            key={other._id}
            label={`${other.title}, ${formatDollars(other.price)}`}
            {...(hint !== undefined && { hint })}
            checked={chosen.includes(other)}
            disabled={whyNot(other, way, address.country) !== undefined}
            onChange={({ target }) => onChoose(other._id, target.checked)}
          />
        );
      })}
      {chosen.length > 0 && end !== undefined && (
        <p className="text-sm">
          Pay by <strong>{formatTime(end, timeZone)}</strong>: the first of these holds ends then.
        </p>
      )}
    </fieldset>
  );
};
