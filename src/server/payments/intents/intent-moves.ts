import type { IntentState } from '#server/payments/payments.table.ts';

/** A state an intent can be moved to; it is made `live`. */
export type IntentMove = Exclude<IntentState, 'live'>;

/**
 * From where an intent gets to each state. Only the provider moves one, and it is the provider's last word that counts:
 * should it take money after it confirmed a cancellation, the money is not ignored.
 */
export const INTENT_MOVES = {
  cancelled: ['live'],
  succeeded: ['live', 'cancelled'],
  returned: ['live', 'cancelled'],
} as const satisfies Record<IntentMove, readonly IntentState[]>;
