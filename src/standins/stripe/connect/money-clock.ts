import { nowSeconds } from '#standins/stripe/api/ids.ts';
import type { Deed } from '#standins/stripe/api/call.ts';
import type { Store } from '#standins/stripe/store/store.ts';

const CLOCK = 'money';
export const DAY_SECONDS = 24 * 60 * 60;

/**
 * The time by which money moves: a demo shop moves its clock forward, and what was paid then becomes available and is
 * paid out. Calls, events and keys keep to the real one.
 */
export function moneyNow({ get }: Pick<Store, 'get'>): number {
  return nowSeconds() + (get('clock', CLOCK)?.aheadSeconds ?? 0);
}

/** Sets how far ahead that time is; it never goes back. */
export function moveMoneyClock({ trx }: Pick<Deed, 'trx'>, aheadSeconds: number): { aheadSeconds: number } {
  const row = { aheadSeconds: Math.max(aheadSeconds, trx.get('clock', CLOCK)?.aheadSeconds ?? 0) };
  trx.put('clock', CLOCK, row);
  return row;
}

/** The midnight (UTC) that begins the day of this time. */
export function midnight(seconds: number): number {
  return seconds - (seconds % DAY_SECONDS);
}

/** The same in milliseconds, in the form of the second version of the API. */
export function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
