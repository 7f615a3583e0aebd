import type { PaymentIntent, Stripe, StripeCardElement, StripeElements, StripeError } from '@stripe/stripe-js';

export type PaymentOutcome =
  | { readonly kind: 'taken'; readonly transactionId: string }
  /**
   * `declined`: the bank said no. `unreachable`: the payment service did not answer. Else something is wrong with what
   * was typed.
   */
  | {
      readonly kind: 'problem';
      readonly message: string;
      readonly because: 'declined' | 'unreachable' | 'typed';
    };

interface CardPayment {
  readonly stripe: Stripe;
  readonly card: StripeCardElement;
  readonly billing: { readonly name: string; readonly email: string };
  /** The client secret of the booking's intent as it is now. */
  readonly clientSecret: () => Promise<string>;
}

const problem = (error: StripeError | undefined, because: 'declined' | 'typed'): PaymentOutcome => ({
  kind: 'problem',
  message: error?.message ?? 'The payment was not completed. Please try again, or use another card.',
  because: error?.type === 'api_connection_error' ? 'unreachable' : error?.type === 'card_error' ? because : 'typed',
});

/** An intent that had succeeded before, in another window perhaps, counts as taken; it can never be charged twice. */
const outcomeOf = (confirmed: {
  paymentIntent?: PaymentIntent | undefined;
  error?: StripeError | undefined;
}): PaymentOutcome => {
  const intent = confirmed.paymentIntent ?? confirmed.error?.payment_intent;
  if (intent?.status === 'succeeded' || intent?.status === 'processing')
    return { kind: 'taken', transactionId: intent.id };
  return problem(confirmed.error, 'declined');
};

/**
 * Pays with the typed card: the provider checks it, then the shop renews the hold, then the provider takes the money.
 */
export const payByCard = async ({ stripe, card, billing, clientSecret }: CardPayment): Promise<PaymentOutcome> => {
  const made = await stripe.createPaymentMethod({ type: 'card', card, billing_details: { ...billing } });
  if (made.error !== undefined) return problem(made.error, 'typed');
  return outcomeOf(await stripe.confirmCardPayment(await clientSecret(), { payment_method: made.paymentMethod.id }));
};

/** A wallet whose customer has confirmed. */
export interface ConfirmedWallet {
  /** Those of the wallets. */
  readonly elements: StripeElements;
  /** Tells the wallet that no payment follows; it says so to its customer. */
  readonly fail: () => void;
}

interface WalletPayment {
  readonly stripe: Stripe;
  readonly wallet: ConfirmedWallet;
  readonly clientSecret: () => Promise<string>;
}

/** Pays with the wallet that its customer confirmed, in the same order; it is told where it does not come to that. */
export const payByWallet = async ({ stripe, wallet, clientSecret }: WalletPayment): Promise<PaymentOutcome> => {
  const { elements, fail } = wallet;
  const checked = await elements.submit();
  if (checked.error !== undefined) {
    fail();
    return problem(checked.error, 'typed');
  }
  const secret = await clientSecret().catch((error: unknown) => {
    fail();
    throw error;
  });
  return outcomeOf(
    await stripe.confirmPayment({
      elements,
      clientSecret: secret,
      confirmParams: { return_url: location.href },
      redirect: 'if_required',
    }),
  );
};
