import type Stripe from 'stripe';
import type { Deed } from '#standins/stripe/api/call.ts';
import { pay, refuse } from './confirmation.ts';
import type { DoDeed } from '#standins/stripe/store/deeds.ts';
import type { Store } from '#standins/stripe/store/store.ts';
import type { ProcessingOutcome } from '#standins/stripe/store/tables.ts';

/** How long a payment is processed: long enough for a page to show it, short enough to be waited for. */
export const PROCESSING_MS = 3_000;
const LOOK_AGAIN_MS = 100;

interface WatchDeps {
  store: Store;
  processingMs: number;
  doDeed: DoDeed;
  log: (message: string) => void;
}

/**
 * The bank's late answer to a payment that is being processed; answers the intent as it is then, undefined for no such
 * one.
 */
export function finishProcessing(
  deed: Deed,
  intentId: string,
  outcome: ProcessingOutcome,
): Stripe.PaymentIntent | undefined {
  const row = deed.trx.get('payment_intents', intentId);
  deed.trx.remove('processing', intentId);
  const method = deed.trx.get('payment_methods', String(row?.intent.payment_method));
  if (row === undefined || method === undefined || row.intent.status !== 'processing') return undefined;
  if (outcome === 'succeeds') return pay(deed, row.intent, method, false);
  return refuse(deed, row.intent, method, 'generic_decline', false).intent;
}

/** Lets each payment that is being processed come to its end in time, also after a restart. */
export function watchProcessing(deps: WatchDeps): () => void {
  const timer = setInterval(() => {
    const before = Date.now() - deps.processingMs;
    const due = [...deps.store.entries('processing')].filter(([, row]) => row.sinceMs <= before);
    for (const [id, { outcome }] of due) {
      deps
        .doDeed((deed) => finishProcessing(deed, id, outcome))
        .catch((error: unknown) => deps.log(`A payment could not be finished: ${String(error)}`));
    }
  }, LOOK_AGAIN_MS);
  timer.unref();
  return () => clearInterval(timer);
}
