import { useEffect, useState } from 'react';
import { joinLine, leaveLine, readLine } from '#contract/bookings/line.ts';
import type { Answer } from '#contract/endpoint.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';

export type LineState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string }
  | ({ readonly kind: 'ready' } & Answer<typeof readLine>);

export interface Line {
  readonly state: LineState;
  readonly reload: () => void;
  /** Takes the last place. Throws the refusal. */
  readonly join: () => Promise<Answer<typeof joinLine>>;
  /** Gives the place up, and answers how many wait then. */
  readonly leave: () => Promise<number>;
}

/** The line behind a copy, and where the person who looks stands in it. */
export const useLine = (listingId: string): Line => {
  const [state, setState] = useState<LineState>({ kind: 'loading' });
  const [round, setRound] = useState(0);
  const params = { id: listingId };

  useEffect(() => {
    const stop = new AbortController();
    call(readLine, { params: { id: listingId } }, { signal: stop.signal }).then(
      (line) => setState({ kind: 'ready', ...line }),
      (error: unknown) => {
        if (!stop.signal.aborted) setState({ kind: 'failed', message: messageOf(error) });
      },
    );
    return () => stop.abort();
  }, [listingId, round]);

  const join = async (): Promise<Answer<typeof joinLine>> => {
    const joined = await call(joinLine, { params });
    setState({ kind: 'ready', ...joined, bookingId: null });
    return joined;
  };
  const leave = async (): Promise<number> => {
    await call(leaveLine, { params });
    const line = await call(readLine, { params });
    setState({ kind: 'ready', ...line });
    return line.waiting;
  };
  return { state, reload: () => setRound((old) => old + 1), join, leave };
};
