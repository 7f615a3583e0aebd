import { useEffect, useState } from 'react';
import { joinWaitlist, leaveWaitlist, readWaitlist } from '#contract/bookings/waitlist.ts';
import type { Answer } from '#contract/endpoint.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';

export type WaitlistState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string }
  | ({ readonly kind: 'ready' } & Answer<typeof readWaitlist>);

export interface Line {
  readonly state: WaitlistState;
  readonly reload: () => void;
  /** Takes the last place. Throws the refusal. */
  readonly join: () => Promise<Answer<typeof joinWaitlist>>;
  /** Gives the place up, and answers how many wait then. */
  readonly leave: () => Promise<number>;
}

/** The line behind a copy, and where the person who looks stands in it. */
export const useWaitlist = (listingId: string): Line => {
  const [state, setState] = useState<WaitlistState>({ kind: 'loading' });
  const [round, setRound] = useState(0);
  const params = { id: listingId };

  useEffect(() => {
    const stop = new AbortController();
    call(readWaitlist, { params: { id: listingId } }, { signal: stop.signal }).then(
      (line) => setState({ kind: 'ready', ...line }),
      (error: unknown) => {
        if (!stop.signal.aborted) setState({ kind: 'failed', message: messageOf(error) });
      },
    );
    return () => stop.abort();
  }, [listingId, round]);

  const join = async (): Promise<Answer<typeof joinWaitlist>> => {
    const joined = await call(joinWaitlist, { params });
    setState({ kind: 'ready', ...joined, bookingId: null });
    return joined;
  };
  const leave = async (): Promise<number> => {
    await call(leaveWaitlist, { params });
    const line = await call(readWaitlist, { params });
    setState({ kind: 'ready', ...line });
    return line.waiting;
  };
  return { state, reload: () => setRound((old) => old + 1), join, leave };
};
