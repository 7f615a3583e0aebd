import { payWaitingRefunds } from '#standins/stripe/payments/refunds.ts';
import type { Deed } from '#standins/stripe/api/call.ts';
import type { DoDeed } from '#standins/stripe/store/deeds.ts';
import type { Store } from '#standins/stripe/store/store.ts';
import { movePayouts } from './bank-payouts.ts';
import { moneyNow } from './money-clock.ts';

const LOOK_AGAIN_MS = 1_000;
/** A payout is made, goes out and arrives: more steps than that are taken at the next look. */
const MAX_STEPS = 10;

/** Does all that the clock of the money has made due. */
export function moveMoney(deed: Deed): void {
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const isRefunded = payWaitingRefunds(deed);
    if (!movePayouts(deed) && !isRefunded) return;
  }
}

/** Whether there is anything to look after. */
function isBusy(store: Store): boolean {
  const now = moneyNow(store);
  if (store.newestFirst('accounts').some(({ nextPayoutAt }) => nextPayoutAt !== null && nextPayoutAt <= now))
    return true;
  if (store.newestFirst('payouts').some(({ payout }) => payout.status === 'pending' || payout.status === 'in_transit'))
    return true;
  return store.newestFirst('refunds').some(({ status }) => status === 'pending');
}

/** Lets money move in time, also after a restart. */
export function watchMoney({ store, doDeed, log }: { store: Store; doDeed: DoDeed; log: (line: string) => void }) {
  const timer = setInterval(() => {
    if (!isBusy(store)) return;
    doDeed(moveMoney).catch((error: unknown) => log(`Money could not be moved: ${String(error)}`));
  }, LOOK_AGAIN_MS);
  timer.unref();
  return () => clearInterval(timer);
}
