import { dollarsOf, formatDollars } from '#contract/money/money.ts';
import { DELETION_WORD } from '#contract/users/account.ts';
import { forgetBuyer } from '#server/bookings/buyers/leaving-buyer.service.ts';
import { forgetSeller } from '#server/catalog/listings/shelf/leaving-seller.service.ts';
import {
  finishDeparture,
  forgetUser,
  listUnfinishedDepartures,
  lockToLeave,
  requireFreshSignIn,
} from '#server/identity/users/departure.service.ts';
import { forgetDeclaration } from '#server/law/declaring.service.ts';
import { takeOut } from '#server/moderation/moderation.service.ts';
import { forgetReporter } from '#server/moderation/reports/reports.service.ts';
import { owedTo } from '#server/ledger/ledger.service.ts';
import { forgetInOrders } from '#server/orders/leaving/forgetting.service.ts';
import { countOpenOrders } from '#server/orders/leaving/leaving.service.ts';
import { deleteCards, forgetPayee } from '#server/payments/payment-export.service.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';
import { releaseHoldsOfBuyer } from '#server/payments/settlement/release.service.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { forgetWebhooks } from '#server/programs/webhooks/webhooks.service.ts';
import { deleteSellerPage } from '#server/sellers/seller-page.service.ts';
import { forgetWatches } from '#server/wants/watching/watching.service.ts';
import { forgetWants } from '#server/wants/wants.service.ts';
import { AppError, badFields } from '#server/platform/errors.ts';
import type { Viewer } from '#server/platform/viewer.ts';

/** Leaving asks the payment provider to cancel what somebody had begun to pay. */
export type PrivacyDeps = PaymentDeps & {
  /** For how many days after its end the shop must be able to say where an order went. */
  readonly addressDays: number;
};

/** Users read at once by the sweep. */
const SWEEP_BATCH = 100;

/**
 * Makes nameless what can be by now; what is promised to somebody or on its way to the provider waits for the next
 * time.
 */
const forget = async (db: Db, userId: string, addressDays: number): Promise<void> => {
  const [buyer, seller] = [await forgetBuyer(db, userId), await forgetSeller(db, userId)];
  const payee = await forgetPayee(db, userId, addressDays);
  const orders = await forgetInOrders(db, userId, addressDays);
  if (buyer && seller && payee && orders) await finishDeparture(db, userId);
};

/** 409 `still_open`, with what it waits for, while orders of somebody are under way or the shop owes them money. */
const requireSettled = async (trx: Trx, userId: string): Promise<void> => {
  const [open, owedCents] = [await countOpenOrders(trx, userId), await owedTo(trx, userId)];
  const waits = [
    ...(open > 0 ? [`you have ${open} open order${open === 1 ? '' : 's'}`] : []),
    ...(owedCents > 0 ? [`the shop owes you ${formatDollars(dollarsOf(owedCents))}`] : []),
  ].join(', and ');
  if (waits === '') return;
  throw new AppError('still_open', `This has to wait: ${waits}. You can leave once that is settled`);
};

/**
 * Deletes the viewer's own account for good; 409 while orders are open or money is due. In one transaction they are out
 * of sight, signed out and off the shelves, their profile forgotten and their address free; then what they had on hold
 * is given back, an intent that had succeeded settling instead, and what stays of bookings and copies loses their name.
 * What cannot be done now is told to `onError` and left to the sweeps. An account that an admin deleted is not
 * forgotten: it may be restored.
 */
export const deleteOwnAccount = async (
  deps: PrivacyDeps,
  viewer: Viewer,
  confirm: string,
  onError: (error: unknown) => void,
): Promise<void> => {
  const { userId } = requireFreshSignIn(viewer);
  if (confirm.trim().toUpperCase() !== DELETION_WORD) throw badFields({ confirm: `Type ${DELETION_WORD}` });
  await deps.db.transaction().execute(async (trx) => {
    await lockToLeave(trx, userId);
    await requireSettled(trx, userId);
    await takeOut(trx, { userId: userId, actorId: userId, action: 'own account deleted' });
    await forgetUser(trx, userId);
    await deleteSellerPage(trx, userId);
    await forgetWebhooks(trx, userId);
    await forgetWants(trx, userId);
    await forgetWatches(trx, userId);
    await deleteCards(trx, userId);
    await forgetDeclaration(trx, userId);
    await forgetReporter(trx, userId);
  });
  await releaseHoldsOfBuyer(deps, userId, onError);
  await forget(deps.db, userId, deps.addressDays).catch(onError);
};

/** Goes on forgetting users who left while something of theirs was still needed; to be run now and then. */
export const finishDepartures = async (
  db: Db,
  addressDays: number,
  onError: (error: unknown) => void,
): Promise<void> => {
  for (let after: string | undefined; ;) {
    const page = await listUnfinishedDepartures(db, { after, limit: SWEEP_BATCH });
    for (const { userId } of page) await forget(db, userId, addressDays).catch(onError);
    after = page.at(-1)?.userId;
    if (after === undefined) return;
  }
};
