import { useEffect, useState } from 'react';

/** Often enough for a text that counts minutes. */
const TICK_MS = 10_000;

/** The time, again every `tickMs`. For pages drawn in the browser only: a server has another clock. */
export const useNow = (tickMs = TICK_MS): Date => {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), tickMs);
    return () => clearInterval(timer);
  }, [tickMs]);
  return now;
};
