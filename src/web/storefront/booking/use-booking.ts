import { useCallback, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { messageOf } from '#web/api/api-error.ts';
import { sessionState, subscribeToSession } from '#web/api/session.ts';
import { BOOK } from '#web/shell/data/return-path.ts';
import type { Booking, BookingState } from './booking-state.ts';
import { openBooking } from './open-booking.ts';

interface Loaded {
  readonly id: string;
  readonly state: BookingState;
}

/**
 * What the booking dialog shows for the copy named in the address: the copy as it is now, and who books it. Visitors
 * sign in or make an account in its place; it goes on by itself once somebody is signed in, here or in another tab.
 */
export const useBooking = (): Booking => {
  const [params, setParams] = useSearchParams();
  const id = params.get(BOOK);
  const [round, setRound] = useState(0);
  const [loaded, setLoaded] = useState<Loaded>();

  useEffect(() => {
    if (id === null) return undefined;
    const stop = new AbortController();
    const show = (state: BookingState): void => {
      if (!stop.signal.aborted) setLoaded({ id, state });
    };
    openBooking(id, stop.signal).then(show, (error: unknown) => show({ kind: 'failed', message: messageOf(error) }));
    return () => stop.abort();
  }, [id, round]);

  const close = useCallback(() => {
    setLoaded(undefined);
    setParams(
      (old) => {
        old.delete(BOOK);
        return old;
      },
      { preventScrollReset: true, replace: true },
    );
  }, [setParams]);
  const reload = useCallback(() => setRound((old) => old + 1), []);

  const state: BookingState = id === null ? { kind: 'closed' } : loaded?.id === id ? loaded.state : { kind: 'loading' };
  const stranger = state.kind === 'stranger' ? state : undefined;
  useEffect(() => {
    if (stranger === undefined) return undefined;
    let hasGoneOn = false;
    const goOn = (): void => {
      if (hasGoneOn || sessionState().status !== 'in') return;
      hasGoneOn = true;
      reload();
    };
    // Also what was told before anybody listened.
    queueMicrotask(goOn);
    return subscribeToSession(goOn);
  }, [stranger, reload]);
  return { id, state, close, reload };
};
