import { dollarsOf, formatDollars } from '#contract/money/money.ts';
import { listBalances, type Account } from '#server/ledger/ledger.service.ts';
import type { TransferFacts } from '#server/payments/connect/connect.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';
import { findPayout, type Payout } from '#server/payments/payouts/payout.queries.ts';
import { findReversal } from '#server/payments/payouts/reversal.queries.ts';
import { recordReversed } from '#server/payments/payouts/reversal.service.ts';
import { recordSent } from '#server/payments/payouts/transfer.service.ts';
import { mendDifferences, type Difference } from './difference.queries.ts';
import { firstPayoutAt, firstReleaseAt, listSentTransfers, listUnmarked } from './reconcile-payouts.queries.ts';

const BATCH = 200;
const CLOCK_MARGIN_MS = 3_600_000;
/** An answer that takes longer was lost. */
const LATE_MS = 60_000;
/** A bank transfer is there, or back, within this. */
const UNMARKED_DAYS = 7;
/** What the provider's balance as a whole is filed under. */
const BALANCE = 'balance';
const OWED_TO_SELLERS: ReadonlySet<Account> = new Set<Account>(['seller', 'seller-pending', 'in-transit']);

type Note = (difference: Difference) => Promise<void>;

const money = (cents: number): string => formatDollars(dollarsOf(cents));

const unknown = ({ id, amountCents, accountId }: TransferFacts): Difference => ({
  kind: 'unknown-transfer',
  subject: id,
  says: `The provider sent ${money(amountCents)} to ${accountId} in our name that our books do not have.`,
  mended: false,
});

/** Money of a transfer that was taken back: what we asked for is booked, what somebody did there by hand is told. */
const compareReversals = async (deps: PaymentDeps, note: Note, payout: Payout, facts: TransferFacts): Promise<void> => {
  if (facts.reversedCents === payout.reversedCents) return;
  for (const { id, reversalId, amountCents } of await deps.provider.connect.listReversals(facts.id)) {
    const reversal = reversalId === undefined ? undefined : await findReversal(deps.db, reversalId);
    if (reversal?.state === 'done') continue;
    if (reversal?.state === 'asked' && reversal.cents === amountCents) {
      await deps.db.transaction().execute((trx) => recordReversed(trx, payout, reversal, id));
      continue;
    }
    const says = `${money(amountCents)} of a transfer was taken back at the provider and not here. The seller’s balance here does not know of it.`;
    await note({ kind: 'missed-reversal', subject: id, says, mended: false });
  }
};

const compareTransfer = async (deps: PaymentDeps, note: Note, facts: TransferFacts): Promise<void> => {
  const payout = facts.payoutId === undefined ? undefined : await findPayout(deps.db, facts.payoutId);
  if (payout === undefined || (payout.providerId !== null && payout.providerId !== facts.id)) {
    await note(unknown(facts));
    return;
  }
  if (payout.cents !== facts.amountCents || payout.accountId !== facts.accountId || payout.state === 'refused') {
    const says = `The provider sent ${money(facts.amountCents)} to ${facts.accountId}; our books have a payout of ${money(payout.cents)} to ${payout.accountId ?? 'nobody'} that is ${payout.state}.`;
    await note({ kind: 'other-transfer', subject: facts.id, says, mended: false });
    return;
  }
  if (payout.state === 'asked') {
    const isNew = await deps.db.transaction().execute((trx) => recordSent(trx, payout, facts.id));
    if (isNew && facts.createdAt.getTime() < Date.now() - LATE_MS) {
      const says = 'The provider had sent money whose answer was lost. It is booked now.';
      await note({ kind: 'missed-transfer', subject: facts.id, says, mended: true });
    }
  }
  await compareReversals(deps, note, payout, facts);
};

const compareSent = async (deps: PaymentDeps, note: Note, listed: ReadonlySet<string>): Promise<void> => {
  let after: string | undefined;
  do {
    const batch = await listSentTransfers(deps.db, { after, limit: BATCH });
    for (const subject of batch.filter((id) => !listed.has(id))) {
      const says = 'Our books have a payout that the provider does not know.';
      await note({ kind: 'missed-transfer', subject, says, mended: false });
    }
    after = batch.at(-1);
  } while (after !== undefined);
};

/** Whether the provider holds for the shop what all sellers are owed together. */
const compareBalance = async (deps: PaymentDeps, note: Note): Promise<void> => {
  const { availableCents, pendingCents } = await deps.provider.connect.balance();
  const owedCents = (await listBalances(deps.db))
    .filter(({ account }) => OWED_TO_SELLERS.has(account))
    .reduce((sum, { cents }) => sum - cents, 0);
  const heldCents = availableCents + pendingCents;
  if (heldCents >= owedCents) {
    await mendDifferences(deps.db, BALANCE, ['short-of-money']);
    return;
  }
  const says = `The provider holds ${money(heldCents)} for the shop, and sellers are owed ${money(owedCents)}.`;
  await note({ kind: 'short-of-money', subject: BALANCE, says, mended: false });
};

/** Nobody but an admin knows what became of a payout by hand. */
const tellOfUnmarked = async (deps: PaymentDeps, note: Note): Promise<void> => {
  for (const { id, name, cents } of await listUnmarked(deps.db, UNMARKED_DAYS, BATCH)) {
    const says = `A payout of ${money(cents)} by hand to ${name} has been under way for more than ${UNMARKED_DAYS} days. Look it up at the bank, and mark it as paid or strike it off.`;
    await note({ kind: 'payout-unmarked', subject: id, says, mended: false });
  }
};

/**
 * Since when the provider may have sent money to sellers; undefined before it could. It is looked at before anything
 * was paid out: the first release may be what the balance is short of, or what somebody else has sent already.
 */
const beganAt = async ({ db, payouts }: PaymentDeps): Promise<Date | undefined> => {
  const [paid, released] = [await firstPayoutAt(db), payouts.way === 'connect' ? await firstReleaseAt(db) : undefined];
  if (paid === undefined || released === undefined) return paid ?? released;
  return paid < released ? paid : released;
};

/**
 * Compares payouts with the provider's transfers both ways, and what it holds with what sellers are owed; answers how
 * many transfers it looked at.
 */
export const comparePayouts = async (
  deps: PaymentDeps,
  note: Note,
  onError: (error: unknown, subject: string) => void,
): Promise<number> => {
  await tellOfUnmarked(deps, note);
  const first = await beganAt(deps);
  if (first === undefined) return 0;
  const listed = new Set<string>();
  for await (const facts of deps.provider.connect.listTransfers(new Date(first.getTime() - CLOCK_MARGIN_MS))) {
    listed.add(facts.id);
    await compareTransfer(deps, note, facts).catch((error: unknown) => onError(error, facts.id));
  }
  await compareSent(deps, note, listed);
  // By hand sellers are paid from the shop's own bank.
  if (deps.payouts.way === 'connect') await compareBalance(deps, note);
  return listed.size;
};
