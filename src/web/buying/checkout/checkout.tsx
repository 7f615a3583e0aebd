import { Elements } from '@stripe/react-stripe-js';
import type { BookingDetail } from '#contract/bookings/bookings.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/states.tsx';
import { CardForm } from './card-form.tsx';
import { PaymentRefused } from './payment-refused.tsx';
import type { Bought } from '#web/buying/delivery/parcel.ts';
import type { PaymentSetup } from './provider.ts';
import { isFinal } from './refusal.ts';
import { useDelivery } from '#web/buying/delivery/use-delivery.ts';
import { useIntent } from './use-intent.ts';
import { useProvider } from './use-provider.ts';

/** The site is in English; without this the provider would follow the browser. */
const ELEMENTS_OPTIONS = { locale: 'en' } as const;

interface Props {
  booking: BookingDetail;
  /** The booking as far as is known by now. */
  newest: BookingDetail;
  /** What else its buyer may pay for with it. */
  others: readonly BookingDetail[];
  buyer: { id: string; name: string; email: string };
  setup: PaymentSetup;
  onRead: (booking: BookingDetail) => void;
  onTaken: (transactionId: string, bought: Bought) => void;
}

/**
 * Prepares the payment at the shop and the form at the provider side by side, and shows what stands in the way of
 * either.
 */
export const Checkout = ({ booking, newest, others, buyer, setup, onRead, onTaken }: Props) => {
  const provider = useProvider(setup);
  const delivery = useDelivery(newest, buyer);
  // A price that was lowered is taken without a word; of a higher one the buyer is told first. Where a book is only
  // posted, nothing is asked of the shop before its address is known.
  const price = Math.min(booking.price, newest.price);
  const intent = useIntent({ id: booking._id, price, isSettled: delivery.ways[0] === 'pickup' }, onRead);
  const refused = intent.state.kind === 'refused' && (
    <PaymentRefused
      error={intent.state.error}
      price={{ before: booking.price, now: newest.price }}
      onRetry={intent.retry}
    />
  );
  if (intent.state.kind === 'refused' && isFinal(intent.state.error)) return refused;
  if (provider.hasFailed) {
    return (
      <Notice
        tone="error"
        title="The payment form could not be loaded"
        action={<Button onClick={provider.retry}>Try again</Button>}
      >
        The payment service did not answer. Check your connection; a content blocker may also be in the way. Nothing was
        charged.
      </Notice>
    );
  }
  return (
    <Elements stripe={provider.stripe} options={ELEMENTS_OPTIONS}>
      <CardForm
        booking={newest}
        others={others}
        delivery={delivery}
        billing={{ name: buyer.name, email: buyer.email }}
        intent={intent}
        isTest={setup.test}
        onTaken={onTaken}
      />
      {refused !== false && <div className="mt-5">{refused}</div>}
    </Elements>
  );
};
