import type { PayoutRequirement } from '#contract/money/payouts.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import type { BankPayoutFacts, PayeeFacts } from '#server/payments/connect/connect.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';
import { ProviderRefused } from '#server/payments/provider.ts';
import { mendDifferences, noteDifference } from '#server/payments/reconciliation/difference.queries.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { saveBankPayout } from './bank-payout.queries.ts';
import {
  findPayoutAccount,
  findSellerOf,
  lockPayoutAccount,
  markScheduled,
  saveAccountFacts,
  takeAccountsToAsk,
  type PayoutAccount,
} from './payout-account.queries.ts';
import { requirementWords } from './requirement-words.policy.ts';

/** What asking about accounts needs of payments. */
type PayeeDeps = Pick<PaymentDeps, 'db' | 'provider' | 'alert'>;

const BATCH = 50;
/** How long what went to a bank is looked after: it may come back for days. */
const BANK_PAYOUT_DAYS = 30;
const DAY_MS = 86_400_000;

const requirementsOf = ({ requirements }: PayeeFacts): PayoutRequirement[] =>
  requirements.map(({ what, problem, dueBy, isUsers }) => ({
    what: requirementWords(what),
    problem,
    dueBy: dueBy?.toISOString() ?? null,
    isYours: isUsers,
  }));

/** Takes down what the provider says of an account; admins are told of one that could be paid and cannot any more. */
const recordFacts = async (trx: Trx, sellerId: string, facts: PayeeFacts): Promise<void> => {
  const before = await lockPayoutAccount(trx, sellerId);
  if (before?.accountId !== facts.id) return;
  // Of somebody who left nothing is asked.
  const requirements = before.isGone ? [] : requirementsOf(facts);
  await saveAccountFacts(trx, sellerId, { status: facts.status, requirements });
  if (facts.status === 'active') await mendDifferences(trx, facts.id, ['account-restricted']);
  if (before.status !== 'active' || facts.status === 'active') return;
  const wants = requirements.map(({ what }) => what).join(', ') || 'it does not say why';
  const says = `The provider pays ${before.name} nothing more: ${wants}. What they are due waits.`;
  await noteDifference(trx, { kind: 'account-restricted', subject: facts.id, says, mended: false });
};

/** Asks the provider about an account of ours and takes the answer down; undefined where it knows none of this id. */
export const askAccount = async (deps: PayeeDeps, accountId: string): Promise<PayeeFacts | undefined> => {
  const facts = await deps.provider.connect.findPayee(accountId);
  const sellerId = await findSellerOf(deps.db, accountId);
  if (sellerId === undefined) return undefined;
  if (facts === undefined) {
    const gone = { id: accountId, userId: sellerId, status: 'restricted', requirements: [], country: '' } as const;
    await deps.db.transaction().execute((trx) => recordFacts(trx, sellerId, gone));
    return undefined;
  }
  await deps.db.transaction().execute((trx) => recordFacts(trx, sellerId, facts));
  return facts;
};

const tellOfBank = async (trx: Trx, to: PayoutAccount, payout: BankPayoutFacts): Promise<void> => {
  const { id, failure, amountCents } = payout;
  const reason = failure === '' ? 'the bank gives no reason' : failure;
  const says = `A payout to the bank of ${to.name} failed: ${reason}. The money is back in their account at the provider.`;
  await noteDifference(trx, { kind: 'bank-payout-failed', subject: id, says, mended: true });
  if (to.isGone) return;
  await queueMail(trx, {
    kind: 'payout',
    key: `bank-payout-failed:${id}`,
    to,
    data: { about: 'failed', title: '', cents: amountCents, reason, days: 0 },
  });
};

/** What became of what went to a seller's bank: `paid` may still turn into `failed`. */
const askBank = async (deps: PayeeDeps, account: PayoutAccount, accountId: string): Promise<void> => {
  const from = new Date(Date.now() - BANK_PAYOUT_DAYS * DAY_MS);
  const payouts = await deps.provider.connect.listBankPayouts(accountId, from);
  if (payouts.length === 0) return;
  await deps.db.transaction().execute(async (trx) => {
    for (const payout of payouts) {
      const was = await saveBankPayout(trx, account.sellerId, payout);
      if (payout.status === 'failed' && was !== 'failed') await tellOfBank(trx, account, payout);
    }
  });
};

/** Has the provider pay an account out once a week; its own default is every day. */
const schedule = async (deps: PayeeDeps, { sellerId, n }: PayoutAccount, accountId: string): Promise<void> => {
  try {
    await deps.provider.connect.scheduleWeekly(accountId, n);
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    // Paid out daily, then.
    deps.alert('weekly payouts could not be set up', { accountId, says: error.message });
  }
  await markScheduled(deps.db, sellerId);
};

/** Asks about one seller's account, what it lacks and what went to its bank. */
export const refreshAccount = async (deps: PayeeDeps, sellerId: string): Promise<void> => {
  const account = await findPayoutAccount(deps.db, sellerId);
  if (account?.accountId == null) return;
  const { accountId } = account;
  const facts = await askAccount(deps, accountId);
  if (facts === undefined) return;
  if (facts.status === 'active' && account.scheduledAt === null) await schedule(deps, account, accountId);
  await askBank(deps, account, accountId);
};

/**
 * Asks about accounts of which an event told, and where `olderThan` is given about those that were not asked about for
 * so many seconds.
 */
export const refreshAccounts = async (
  deps: PayeeDeps,
  onError: (error: unknown, sellerId: string) => void,
  olderThan?: { unreadySeconds: number; readySeconds: number },
): Promise<void> => {
  for (;;) {
    const taken = await takeAccountsToAsk(deps.db, olderThan, BATCH);
    for (const { sellerId } of taken) {
      await refreshAccount(deps, sellerId).catch((error: unknown) => onError(error, sellerId));
    }
    if (taken.length < BATCH) return;
  }
};
