import type { Stripe } from '@stripe/stripe-js';
import { useEffect, useState } from 'react';
import { loadProvider, type PaymentSetup } from './provider.ts';

export interface ProviderState {
  /** Null until it is loaded. */
  readonly stripe: Stripe | null;
  readonly hasFailed: boolean;
  readonly retry: () => void;
}

/** The payment provider's client, loaded when the page needs it and again when asked. */
export const useProvider = (setup: PaymentSetup): ProviderState => {
  const [round, setRound] = useState(0);
  const [stripe, setStripe] = useState<Stripe | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const { publishableKey, script, test } = setup;
  useEffect(() => {
    let isWanted = true;
    loadProvider({ publishableKey, script, test }).then(
      (loaded) => isWanted && setStripe(loaded),
      () => isWanted && setFailed(true),
    );
    return () => {
      isWanted = false;
    };
  }, [round, publishableKey, script, test]);
  const retry = (): void => {
    setFailed(false);
    setRound(round + 1);
  };
  return { stripe, hasFailed, retry };
};
