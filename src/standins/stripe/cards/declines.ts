/** Why a bank refuses a card, as Stripe words it (docs.stripe.com/declines/codes). */
interface Decline {
  code: string;
  declineCode?: string;
  message: string;
  adviceCode?: string;
}

const DECLINED = 'Your card was declined.';

/** The refusals that Stripe's test cards bring about. */
export const DECLINES = {
  generic_decline: {
    code: 'card_declined',
    declineCode: 'generic_decline',
    message: DECLINED,
    adviceCode: 'try_again_later',
  },
  insufficient_funds: {
    code: 'card_declined',
    declineCode: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
    adviceCode: 'try_again_later',
  },
  lost_card: { code: 'card_declined', declineCode: 'lost_card', message: DECLINED, adviceCode: 'do_not_try_again' },
  stolen_card: { code: 'card_declined', declineCode: 'stolen_card', message: DECLINED, adviceCode: 'do_not_try_again' },
  fraudulent: { code: 'card_declined', declineCode: 'fraudulent', message: DECLINED, adviceCode: 'do_not_try_again' },
  card_velocity_exceeded: {
    code: 'card_declined',
    declineCode: 'card_velocity_exceeded',
    message: 'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
    adviceCode: 'try_again_later',
  },
  expired_card: { code: 'expired_card', message: 'Your card has expired.', adviceCode: 'confirm_card_data' },
  incorrect_cvc: {
    code: 'incorrect_cvc',
    message: "Your card's security code is incorrect.",
    adviceCode: 'confirm_card_data',
  },
  processing_error: {
    code: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
    adviceCode: 'try_again_later',
  },
} as const satisfies Record<string, Decline>;

export type DeclineName = keyof typeof DECLINES;

/** The words of one refusal. */
export function declineNamed(name: DeclineName): Decline {
  return DECLINES[name];
}
