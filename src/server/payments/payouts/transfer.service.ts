import { dollarsOf, formatDollars } from '#contract/money/money.ts';
import { lockSeller } from '#server/ledger/ledger.service.ts';
import { postPayoutRefused, postPayoutSent } from '#server/ledger/payout-postings.service.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import type { TransferFacts, TransferToSend } from '#server/payments/connect/connect.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';
import { ProviderRefused } from '#server/payments/provider.ts';
import {
  mendDifferences,
  noteDifference,
  type Difference,
} from '#server/payments/reconciliation/difference.queries.ts';
import { crashPoint } from '#server/platform/crash-points.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { findPayoutAccount } from './payout-account.queries.ts';
import { askAccount } from './payee.service.ts';
import { BELOW_ZERO, findPayout, settlePayout, takeAskedPayouts, type Payout } from './payout.queries.ts';

/** A payout that somebody began to ask for is taken up by another process after this long. */
const LEASE_SECONDS = 30;
const BATCH = 20;
const SHORT = 'balance_insufficient';
/** Not the provider's words: it was not asked for a transfer. */
const NOT_READY = 'account_not_ready';

/** What differences about a payout are filed under. */
const nameOf = ({ orderId, sellerId }: Pick<Payout, 'orderId' | 'sellerId'>): string => orderId ?? sellerId;

const tellSent = async (trx: Trx, payout: Payout): Promise<void> => {
  const to = await findPayoutAccount(trx, payout.sellerId);
  if (to === undefined || to.isGone) return;
  await queueMail(trx, {
    kind: 'payout',
    key: `payout-sent:${payout.id}`,
    to,
    data: { about: 'sent', title: payout.title, cents: payout.cents, reason: '', days: 0 },
  });
};

/** Takes down that the provider made a transfer of ours, any number of times; whether that was new. */
export const recordSent = async (trx: Trx, payout: Payout, transferId: string): Promise<boolean> => {
  await lockSeller(trx, payout.sellerId);
  if (!(await settlePayout(trx, payout.id, { state: 'sent', providerId: transferId }))) return false;
  await postPayoutSent(trx, payout, 'connect');
  await mendDifferences(trx, nameOf(payout), ['short-of-money', 'transfer-refused', 'account-below-zero']);
  await tellSent(trx, payout);
  return true;
};

/** Why a payout was not made. */
interface Refusal {
  readonly code: string;
  readonly words: string;
}

const differenceOf = (payout: Payout, { code, words }: Refusal): Difference => {
  const amount = formatDollars(dollarsOf(payout.cents));
  const about = { subject: nameOf(payout), mended: false };
  switch (code) {
    case SHORT: {
      const says = `There is not enough at the provider to pay a seller ${amount}: ${words}. It is asked for again by itself.`;
      return { ...about, kind: 'short-of-money', says };
    }
    case BELOW_ZERO: {
      const says = `${amount} is not sent to a seller: ${words}, and would swallow it. It is due as before, and asked for again some hours later.`;
      return { ...about, kind: 'account-below-zero', says };
    }
    default: {
      const says = `The provider refuses to pay a seller ${amount}: ${words}. It is due as before, and asked for again by itself.`;
      return { ...about, kind: 'transfer-refused', says };
    }
  }
};

const recordRefused = async (deps: PaymentDeps, payout: Payout, refusal: Refusal): Promise<void> => {
  const difference = refusal.code === NOT_READY ? undefined : differenceOf(payout, refusal);
  const isNew = await deps.db.transaction().execute(async (trx) => {
    await lockSeller(trx, payout.sellerId);
    if (!(await settlePayout(trx, payout.id, { state: 'refused', ...refusal }))) return false;
    await postPayoutRefused(trx, payout);
    return difference !== undefined && (await noteDifference(trx, difference));
  });
  if (isNew) deps.alert('a seller could not be paid', { ...difference });
};

const toSend = async ({ provider }: PaymentDeps, payout: Payout, accountId: string): Promise<TransferToSend> => {
  const { id, orderId, n, cents, intentId, writtenAt } = payout;
  const intent = intentId === null ? undefined : await provider.findIntent(intentId);
  return {
    payoutId: id,
    orderId,
    key: `tr:${nameOf(payout)}:${n}`,
    amountCents: cents,
    accountId,
    chargeId: intent?.chargeId,
    group: orderId ?? undefined,
    writtenAt,
  };
};

type Answer = Pick<TransferFacts, 'id'> | Refusal;

/** What is sent to an account below zero never reaches its owner: the provider keeps it for what is owed there. */
const belowZero = async ({ provider }: PaymentDeps, accountId: string): Promise<Refusal | undefined> => {
  const { availableCents, pendingCents } = await provider.connect.balanceOf(accountId);
  const cents = availableCents + pendingCents;
  if (cents >= 0) return undefined;
  return {
    code: BELOW_ZERO,
    words: `the account at the payment service is ${formatDollars(dollarsOf(-cents))} below zero`,
  };
};

const asked = async (deps: PaymentDeps, transfer: TransferToSend, wasAsked: boolean): Promise<Answer> => {
  const { connect } = deps.provider;
  // Whether a first try came through is looked up before anything else may refuse the second.
  const made = wasAsked ? await connect.findTransfer(transfer) : undefined;
  if (made !== undefined) return made;
  const facts = await askAccount(deps, transfer.accountId);
  if (facts?.status !== 'active') {
    const words = facts?.requirements.map(({ what }) => what).join(', ') || 'the account is not ready';
    return { code: NOT_READY, words };
  }
  const refusal = await belowZero(deps, transfer.accountId);
  if (refusal !== undefined) return refusal;
  try {
    return await connect.transfer(transfer);
  } catch (error) {
    if (error instanceof ProviderRefused) return { code: error.code, words: error.message };
    throw error;
  }
};

/** Asks the provider for a payout that is written down, and takes its answer down. */
const send = async (deps: PaymentDeps, { id, wasAsked }: { id: string; wasAsked: boolean }): Promise<boolean> => {
  const payout = await findPayout(deps.db, id);
  if (payout === undefined || payout.accountId === null || payout.state !== 'asked') return false;
  const answer = await asked(deps, await toSend(deps, payout, payout.accountId), wasAsked);
  crashPoint('transfer-sent');
  if ('code' in answer) {
    await recordRefused(deps, payout, answer);
    return false;
  }
  return deps.db.transaction().execute((trx) => recordSent(trx, payout, answer.id));
};

/** Sends payouts that nobody has asked for yet, or whose answer was lost; answers how many were sent. */
export const sendPayouts = async (
  deps: PaymentDeps,
  onError: (error: unknown, payoutId: string) => void,
): Promise<number> => {
  let sent = 0;
  for (const taken of await takeAskedPayouts(deps.db, LEASE_SECONDS, BATCH)) {
    try {
      if (await send(deps, taken)) sent += 1;
    } catch (error) {
      onError(error, taken.id);
    }
  }
  return sent;
};
