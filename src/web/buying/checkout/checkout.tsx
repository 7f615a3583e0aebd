import { Elements } from '@stripe/react-stripe-js';
import type { Booking } from '#contract/bookings/bookings.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/states.tsx';
import { CardForm } from './card-form.tsx';
import { PaymentRefused } from './payment-refused.tsx';
import type { PaymentSetup } from './provider.ts';
import { isFinal } from './refusal.ts';
import { useIntent } from './use-intent.ts';
import { useProvider } from './use-provider.ts';

/** The site is in English; without this the provider would follow the browser. */
const ELEMENTS_OPTIONS = { locale: 'en' } as const;

interface Props {
  booking: Booking;
  /** The booking as far as is known by now. */
  newest: Booking;
  billing: { name: string; email: string };
  setup: PaymentSetup;
  onRead: (booking: Booking) => void;
  onTaken: (transactionId: string) => void;
}

/**
 * Prepares the payment at the shop and the form at the provider side by side, and shows what stands in the way of
 * either.
 */
export const Checkout = ({ booking, newest, billing, setup, onRead, onTaken }: Props) => {
  const provider = useProvider(setup);
  // A price that was lowered is taken without a word; of a higher one the buyer is told first.
  const intent = useIntent({ id: booking._id, price: Math.min(booking.price, newest.price) }, onRead);
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
      <CardForm booking={newest} billing={billing} intent={intent} onTaken={onTaken} />
      {refused !== false && <div className="mt-5">{refused}</div>}
    </Elements>
  );
};
