// What `@stripe/stripe-js/pure` stands for, by its file: the package says nowhere what that name means to Node and
// TypeScript.
import { loadStripe } from '@stripe/stripe-js/dist/pure.mjs';
import type { Stripe } from '@stripe/stripe-js';
import type { paymentSetup } from '#contract/money/payments.ts';
import type { Answer } from '#contract/endpoint.ts';

export type PaymentSetup = Answer<typeof paymentSetup>;

const NOT_AVAILABLE = 'Stripe.js not available';
const NOT_LOADED = 'Failed to load Stripe.js';

/**
 * Loads the script of the stand-in, which makes `window.Stripe`; loadStripe then uses that instead of fetching
 * Stripe's.
 */
const loadScript = (src: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = src;
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => {
      script.remove();
      reject(new Error(NOT_LOADED));
    });
    document.head.append(script);
  });

const load = async (setup: PaymentSetup): Promise<Stripe> => {
  if (setup.script !== null && window.Stripe === undefined) {
    await loadScript(setup.script);
    if (window.Stripe === undefined) throw new Error(NOT_AVAILABLE);
  }
  const stripe = await loadStripe(setup.publishableKey);
  if (stripe === null) throw new Error(NOT_AVAILABLE);
  return stripe;
};

/** The payment provider's client; throws, with a warning on the console, when it cannot be had. May be tried again. */
export const loadProvider = async (setup: PaymentSetup): Promise<Stripe> => {
  try {
    return await load(setup);
  } catch (error) {
    const isNotAvailable = error instanceof Error && error.message === NOT_AVAILABLE;
    // oxlint-disable-next-line no-console -- the specification names these warnings
    console.warn(isNotAvailable ? NOT_AVAILABLE : NOT_LOADED);
    throw error;
  }
};
