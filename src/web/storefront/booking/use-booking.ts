import { type ComponentType, useCallback, useEffect, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { readListing } from '#contract/catalog/catalog.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { unanswered } from '#web/api/fetch-transport.ts';
import { currentUser } from '#web/api/session.ts';
import { fromQuery } from '#web/shell/data/return-path.ts';
import type { Booking, BookingContentProps, BookingState } from './booking-state.ts';
import { BOOK } from './book-param.ts';

interface Loaded {
  readonly id: string;
  readonly state: BookingState;
}

/** The form and the line are needed by those who book only: no page of books waits for them. */
const loadContent = async (): Promise<ComponentType<BookingContentProps>> => {
  try {
    return (await import('./booking-content.tsx')).BookingContent;
  } catch (error) {
    throw unanswered(error, undefined);
  }
};

/**
 * What the booking dialog shows for the copy named in the address: the copy as it is now, and who books it. Visitors
 * are sent to the sign-in page and come back to the same address.
 */
export const useBooking = (): Booking => {
  const [params, setParams] = useSearchParams();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const id = params.get(BOOK);
  const [round, setRound] = useState(0);
  const [loaded, setLoaded] = useState<Loaded>();

  useEffect(() => {
    if (id === null) return undefined;
    const stop = new AbortController();
    const load = async (): Promise<void> => {
      const user = await currentUser();
      if (stop.signal.aborted) return;
      if (user === null) return void navigate(`/login${fromQuery(`${pathname}${search}`)}`, { replace: true });
      const [listing, Content] = await Promise.all([
        call(readListing, { params: { id } }, { signal: stop.signal }),
        loadContent(),
      ]);
      setLoaded({ id, state: { kind: 'ready', listing, user, Content } });
    };
    load().catch((error: unknown) => {
      if (!stop.signal.aborted) setLoaded({ id, state: { kind: 'failed', message: messageOf(error) } });
    });
    return () => stop.abort();
  }, [id, round, pathname, search, navigate]);

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
  return { state, close, reload };
};
