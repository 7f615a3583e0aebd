import { Elements, ExpressCheckoutElement, useElements } from '@stripe/react-stripe-js';
import type { Stripe } from '@stripe/stripe-js';
import { useMemo, useState } from 'react';
import { Or } from '#web/ui/or.tsx';
import { classes } from '#web/ui/classes.ts';
import { Skeleton } from '#web/ui/states.tsx';
import type { ConfirmedWallet } from './pay.ts';

interface ButtonsProps {
  /** Whether what the wallet cannot know is filled in; asked as a button of it is pressed. */
  readonly check: () => boolean;
  /** Its customer has confirmed. */
  readonly onConfirm: (wallet: ConfirmedWallet) => void;
}

const Buttons = ({ check, onConfirm }: ButtonsProps) => {
  const elements = useElements();
  // Most browsers have one: its room is kept until the provider says.
  const [state, setState] = useState<'asked' | 'offered' | 'none'>('asked');
  return (
    <div className={classes('flex flex-col gap-5', state === 'none' && 'invisible absolute')}>
      {state === 'asked' && <Skeleton className="h-11 rounded-field" />}
      <ExpressCheckoutElement
        className={state === 'offered' ? undefined : 'invisible absolute'}
        options={{ buttonHeight: 44 }}
        onReady={({ availablePaymentMethods }) => setState(availablePaymentMethods === undefined ? 'none' : 'offered')}
        onLoadError={() => setState('none')}
        onClick={(event) => (check() ? event.resolve() : event.reject())}
        onConfirm={(event) => {
          const fail = () => event.paymentFailed({ reason: 'fail' });
          if (elements === null) fail();
          else onConfirm({ elements, fail });
        }}
      />
      {state !== 'none' && <Or />}
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
