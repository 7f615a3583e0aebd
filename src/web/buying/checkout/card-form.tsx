import { CardElement, useElements, useStripe } from '@stripe/react-stripe-js';
import { useMemo, useRef, useState, type SyntheticEvent } from 'react';
import { flushSync } from 'react-dom';
import type { Booking } from '#contract/bookings/bookings.ts';
import { formatDollars } from '#contract/money/money.ts';
import { messageOf } from '#web/api/api-error.ts';
import { useTheme } from '#web/shell/theme/theme.ts';
import { useTimeZone } from '#web/shell/data/use-time-zone.ts';
import { Button } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { Skeleton } from '#web/ui/states.tsx';
import { cardStyle } from './card-style.ts';
import { ContactFields, useContact } from './contact-fields.tsx';
import { payByCard } from './pay-by-card.ts';
import { isFinal } from './refusal.ts';
import { wordsOf } from './payment-problem.ts';
import type { Intent } from './use-intent.ts';

interface Props {
  /** As it is known by now: its price, and until when it is held. */
  booking: Booking;
  billing: { name: string; email: string };
  intent: Intent;
  /** The provider has taken the money. */
  onTaken: (transactionId: string) => void;
}

/** The card form; must be inside `Elements`. */
export const CardForm = ({ booking, billing, intent, onTaken }: Props) => {
  const stripe = useStripe();
  const elements = useElements();
  const theme = useTheme();
  const timeZone = useTimeZone();
  const contact = useContact(booking);
  const price = intent.state.kind === 'ready' ? intent.state.price : booking.price;
  const [isReady, setReady] = useState(false);
  const [isPaying, setPaying] = useState(false);
  const [problem, setProblem] = useState<string>();
  const button = useRef<HTMLButtonElement>(null);
  const form = useRef<HTMLFormElement>(null);
  // oxlint-disable-next-line react/exhaustive-deps -- the colours are read from the page, which the theme has changed
  const options = useMemo(() => ({ style: cardStyle(), hidePostalCode: true }), [theme]);
  const isDisabled = stripe === null || !isReady || intent.state.kind !== 'ready' || isPaying;

  const pay = async (): Promise<void> => {
    const card = elements?.getElement(CardElement) ?? null;
    if (isDisabled || card === null) return;
    setPaying(true);
    setProblem(undefined);
    try {
      if (!(await contact.save())) {
        flushSync(() => setPaying(false));
        form.current?.querySelector<HTMLElement>('[data-contact]')?.focus();
        return;
      }
      const outcome = await payByCard({ stripe, card, billing, clientSecret: intent.renew });
      if (outcome.kind === 'taken') return onTaken(outcome.transactionId);
      setProblem(wordsOf(outcome, booking, timeZone));
    } catch (error) {
      if (isFinal(error)) return intent.refuse(error);
      setProblem(messageOf(error));
    }
    flushSync(() => setPaying(false));
    // Disabling the button took the focus from it; a field the provider has moved to keeps it.
    if (document.activeElement === document.body) button.current?.focus();
  };

  return (
    <form
      ref={form}
      noValidate
      className="flex flex-col gap-5"
      aria-label="Payment"
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault();
        void pay();
      }}
    >
      <ContactFields seller={booking.Seller} contact={contact} />
      <div className="flex flex-col gap-1.5">
        <label htmlFor="card-element" className="text-sm font-semibold">
          Card
        </label>
        {!isReady && <Skeleton className="h-32 w-full" />}
        <CardElement
          id="card-element"
          className={classes(
            'rounded-field border border-base-content/30 bg-base-100 px-3 py-3 has-focus-visible:border-primary [&.StripeElement--focus]:border-primary [&.StripeElement--invalid]:border-error',
            !isReady && 'invisible absolute',
          )}
          options={options}
          onReady={() => setReady(true)}
          onChange={(event) => setProblem(event.error?.message)}
        />
      </div>
      <Button ref={button} type="submit" disabled={isDisabled}>
        {isPaying && <span className="loading loading-spinner loading-sm" aria-hidden="true" />}
        {isPaying ? 'Paying…' : `Pay ${formatDollars(price)}`}
      </Button>
      <p role="alert" className="text-error empty:hidden">
        {problem}
      </p>
    </form>
  );
};
