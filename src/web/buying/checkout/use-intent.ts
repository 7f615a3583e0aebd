import { useEffect, useEffectEvent, useState } from 'react';
import { readBooking, type BookingDetail } from '#contract/bookings/bookings.ts';
import type { Answer } from '#contract/endpoint.ts';
import { createPaymentIntent } from '#contract/money/payments.ts';
import { ApiError } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import type { Wish } from '#web/buying/delivery/parcel.ts';

export type Asked = Answer<typeof createPaymentIntent>;

export type IntentState =
  | { readonly kind: 'asking' }
  /** Pay asks: only what the buyer says is known by then. */
  | { readonly kind: 'unasked' }
  | ({ readonly kind: 'ready' } & Asked)
  | { readonly kind: 'refused'; readonly error: unknown };

export interface Intent {
  readonly state: IntentState;
  /** Asks anew: the same answer while nothing is wished otherwise, and the holds are renewed. Throws the refusal. */
  readonly renew: (wish: Wish) => Promise<Asked>;
  /** Shows a refusal in the place of the form. */
  readonly refuse: (error: unknown) => void;
  readonly retry: () => void;
}

const ASKING: IntentState = { kind: 'asking' };
const UNASKED: IntentState = { kind: 'unasked' };

const askFor = (bookingId: string, price: number, wish: Wish) =>
  call(createPaymentIntent, { body: { price, bookingId, ...wish } });

/** How the hold stands now is good to know, and no reason to stop anybody when it cannot be read. */
const tellHow = (id: string, onRead: (booking: BookingDetail) => void): Promise<void> =>
  call(readBooking, { params: { id } }).then(onRead, () => undefined);

interface Wanted {
  id: string;
  price: number;
  /** Whether it is known on opening how the book comes. */
  isSettled: boolean;
}

/**
 * The booking's payment intent. Asking for it takes or renews the hold of the copy; `onRead` is told how the booking
 * stands then.
 */
export const useIntent = ({ id, price, isSettled }: Wanted, onRead: (booking: BookingDetail) => void): Intent => {
  const [round, setRound] = useState(0);
  // An answer is about the price that was asked for: at another one the question is open again.
  const question = `${id} ${price} ${round}`;
  const [answered, setAnswered] = useState<{ question: string; state: IntentState }>();

  // A booking that is read anew is no reason to ask again.
  const tell = useEffectEvent(onRead);
  useEffect(() => {
    if (!isSettled) return undefined;
    let isWanted = true;
    const settle = async (): Promise<void> => {
      const state = await askFor(id, price, {}).then(
        (asked): IntentState => ({ kind: 'ready', ...asked }),
        // What its seller offers has changed: Pay says how the book comes now.
        (error: unknown): IntentState =>
          error instanceof ApiError && 'delivery' in error.fields ? UNASKED : { kind: 'refused', error },
      );
      if (!isWanted) return;
      setAnswered({ question, state });
      await tellHow(id, (booking) => tell(booking));
    };
    void settle();
    return () => {
      isWanted = false;
    };
  }, [id, price, isSettled, question]);

  const renew = async (wish: Wish): Promise<Asked> => {
    const asked = await askFor(id, price, wish);
    setAnswered({ question, state: { kind: 'ready', ...asked } });
    // Until when the book is kept, for what is said next.
    void tellHow(id, onRead);
    return asked;
  };
  const refuse = (error: unknown): void => {
    setAnswered({ question, state: { kind: 'refused', error } });
    void tellHow(id, onRead);
  };
  const state = answered?.question === question ? answered.state : isSettled ? ASKING : UNASKED;
  return { state, renew, refuse, retry: () => setRound(round + 1) };
};
