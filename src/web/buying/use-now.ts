import { useEffect, useState } from 'react';

/** Often enough for a text that counts minutes. */
const TICK_MS = 10_000;

/** The time, again every few seconds. For pages drawn in the browser only: a server has another clock. */
export const useNow = (): Date => {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
};
