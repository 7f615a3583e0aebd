import { lockSeller } from '#server/ledger/ledger.service.ts';
import { postPayoutReversed } from '#server/ledger/payout-postings.service.ts';
import type { ReversalFacts, ReversalToSend } from '#server/payments/connect/connect.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';
import { ProviderRefused } from '#server/payments/provider.ts';
import { crashPoint } from '#server/platform/crash-points.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { findPayout, type Payout } from './payout.queries.ts';
import { findReversal, lowerReversal, settleReversal, takeAskedReversals, type Reversal } from './reversal.queries.ts';

/** A reversal that somebody began to ask for is taken up by another process after this long. */
const LEASE_SECONDS = 30;
const BATCH = 20;

/** Takes down that the provider gave money of a payout back, any number of times. */
export const recordReversed = async (
  trx: Trx,
  payout: Payout,
  reversal: Reversal,
  providerId: string,
): Promise<boolean> => {
  await lockSeller(trx, payout.sellerId);
  if (!(await settleReversal(trx, reversal, { state: 'done', providerId }))) return false;
  const { orderId, bookingId, sellerId } = payout;
  await postPayoutReversed(trx, { id: reversal.id, orderId, bookingId, sellerId, cents: reversal.cents });
  return true;
};

type Answer = Pick<ReversalFacts, 'id'> | { readonly code: string; readonly words: string };

const asked = async (deps: PaymentDeps, reversal: ReversalToSend): Promise<Answer> => {
  try {
    return await deps.provider.connect.reverse(reversal);
  } catch (error) {
    if (error instanceof ProviderRefused) return { code: error.code, words: error.message };
    throw error;
  }
};

/** What of a reversal the seller's account there still holds, in cents. */
const heldOf = async ({ provider }: PaymentDeps, accountId: string, cents: number): Promise<number> => {
  const { availableCents, pendingCents } = await provider.connect.balanceOf(accountId);
  return Math.max(0, Math.min(cents, availableCents + pendingCents));
};

/**
 * Asks the provider to take money back and takes its answer down. A refusal is no difference: what the seller's account
 * there does not hold stays their debt here, which their next sales set off.
 */
const send = async (deps: PaymentDeps, { id, wasAsked }: { id: string; wasAsked: boolean }): Promise<boolean> => {
  const reversal = await findReversal(deps.db, id);
  const payout = reversal && (await findPayout(deps.db, reversal.payoutId));
  if (payout === undefined || reversal?.state !== 'asked' || payout.providerId === null) return false;
  const { providerId, accountId } = payout;
  // What was asked for once keeps its amount: so does its key.
  const cents = wasAsked || accountId === null ? reversal.cents : await heldOf(deps, accountId, reversal.cents);
  if (cents > 0 && cents < reversal.cents) await lowerReversal(deps.db, id, cents);
  const answer: Answer =
    cents === 0
      ? { code: 'balance_insufficient', words: 'the account holds nothing' }
      : await asked(deps, {
          reversalId: id,
          transferId: providerId,
          key: `rev:${providerId}:${reversal.n}`,
          amountCents: cents,
        });
  crashPoint('reversal-sent');
  return deps.db.transaction().execute(async (trx) => {
    if (!('code' in answer)) return recordReversed(trx, payout, { ...reversal, cents }, answer.id);
    await lockSeller(trx, payout.sellerId);
    await settleReversal(trx, reversal, { state: 'refused', ...answer });
    return false;
  });
};

/** Asks for money back that nobody has asked for yet, or whose answer was lost; answers how often some came. */
export const sendReversals = async (
  deps: PaymentDeps,
  onError: (error: unknown, reversalId: string) => void,
): Promise<number> => {
  let done = 0;
  for (const taken of await takeAskedReversals(deps.db, LEASE_SECONDS, BATCH)) {
    try {
      if (await send(deps, taken)) done += 1;
    } catch (error) {
      onError(error, taken.id);
    }
  }
  return done;
};
