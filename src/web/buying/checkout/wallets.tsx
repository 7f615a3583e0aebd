import { Elements, ExpressCheckoutElement, useElements } from '@stripe/react-stripe-js';
import type { Stripe } from '@stripe/stripe-js';
import { useMemo, useState } from 'react';
import { Or } from '#web/ui/or.tsx';
import { classes } from '#web/ui/classes.ts';
import type { ConfirmedWallet } from './pay.ts';

interface ButtonsProps {
  /** Whether what the wallet cannot know is filled in; asked as a button of it is pressed. */
  readonly check: () => boolean;
  /** Its customer has confirmed. */
  readonly onConfirm: (wallet: ConfirmedWallet) => void;
}

const Buttons = ({ check, onConfirm }: ButtonsProps) => {
  const elements = useElements();
  const [isOffered, setOffered] = useState(false);
  return (
    <div className={classes('flex flex-col gap-5', !isOffered && 'invisible absolute')}>
      <ExpressCheckoutElement
        options={{ buttonHeight: 44 }}
        onReady={({ availablePaymentMethods }) => setOffered(availablePaymentMethods !== undefined)}
        onClick={(event) => (check() ? event.resolve() : event.reject())}
        onConfirm={(event) => {
          const fail = () => event.paymentFailed({ reason: 'fail' });
          if (elements === null) fail();
          else onConfirm({ elements, fail });
        }}
      />
      {isOffered && <Or />}
    </div>
  );
};

interface Props extends ButtonsProps {
  readonly stripe: Stripe | null;
  /** What is to be paid, in cents. */
  readonly totalCents: number;
}

/**
 * The wallets that the provider offers in this browser, and nothing where there are none. In a group of their own: they
 * know of a payment to come, the card field does not.
 */
export const Wallets = ({ stripe, totalCents, ...buttons }: Props) => {
  const options = useMemo(
    () => ({ mode: 'payment', amount: totalCents, currency: 'usd', locale: 'en' }) as const,
    [totalCents],
  );
  return (
    <Elements stripe={stripe} options={options}>
      <Buttons {...buttons} />
    </Elements>
  );
};
