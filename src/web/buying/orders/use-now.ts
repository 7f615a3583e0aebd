import { useEffect, useState } from 'react';
import { shopNow } from '#web/api/shop-clock.ts';

/** Often enough for a text that counts minutes. */
const TICK_MS = 10_000;

/** The shop's time, again every `tickMs`. For pages drawn in the browser only: a server has another clock. */
export const useNow = (tickMs = TICK_MS): Date => {
  const [now, setNow] = useState(shopNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(shopNow()), tickMs);
    return () => clearInterval(timer);
  }, [tickMs]);
  return now;
};
