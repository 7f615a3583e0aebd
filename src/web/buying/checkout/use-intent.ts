import { useEffect, useState } from 'react';
import { readBooking, type Booking } from '#contract/bookings/bookings.ts';
import { createPaymentIntent } from '#contract/money/payments.ts';
import { call } from '#web/api/call.ts';

export type IntentState =
  | { readonly kind: 'asking' }
  | { readonly kind: 'ready'; readonly clientSecret: string; readonly price: number }
  | { readonly kind: 'refused'; readonly error: unknown };

export interface Intent {
  readonly state: IntentState;
  /**
   * Asks anew and answers the client secret: the same one while it lives, and the hold is renewed. Throws the refusal.
   */
  readonly renew: () => Promise<string>;
  /** Shows a refusal in the place of the form. */
  readonly refuse: (error: unknown) => void;
  readonly retry: () => void;
}

const ASKING: IntentState = { kind: 'asking' };

const askFor = (bookingId: string, price: number) => call(createPaymentIntent, { body: { price, bookingId } });

/** How the hold stands now is good to know, and no reason to stop anybody when it cannot be read. */
const tellHow = (id: string, onRead: (booking: Booking) => void): Promise<void> =>
  call(readBooking, { params: { id } }).then(onRead, () => undefined);

/**
 * The booking's payment intent. Asking for it takes or renews the hold of the copy; `onRead` is told how the booking
 * stands then.
 */
export const useIntent = ({ id, price }: { id: string; price: number }, onRead: (booking: Booking) => void): Intent => {
  const [round, setRound] = useState(0);
  // An answer is about the price that was asked for: at another one the question is open again.
  const question = `${id} ${price} ${round}`;
  const [answered, setAnswered] = useState<{ question: string; state: IntentState }>();

  useEffect(() => {
    let isWanted = true;
    const settle = async (): Promise<void> => {
      const state = await askFor(id, price).then(
        (asked) => ({ kind: 'ready', ...asked }) as const,
        (error: unknown) => ({ kind: 'refused', error }) as const,
      );
      if (!isWanted) return;
      setAnswered({ question, state });
      await tellHow(id, onRead);
    };
    void settle();
    return () => {
      isWanted = false;
    };
  }, [id, price, onRead, question]);

  const renew = async (): Promise<string> => {
    const asked = await askFor(id, price);
    setAnswered({ question, state: { kind: 'ready', ...asked } });
    // Until when the book is kept, for what is said next.
    void tellHow(id, onRead);
    return asked.clientSecret;
  };
  const refuse = (error: unknown): void => {
    setAnswered({ question, state: { kind: 'refused', error } });
    void tellHow(id, onRead);
  };
  const state = answered?.question === question ? answered.state : ASKING;
  return { state, renew, refuse, retry: () => setRound(round + 1) };
};
