import type { MoneyState, PaymentShown, PaymentsSort } from '#contract/money/money-admin.ts';
import { dollarsOf } from '#contract/money/money.ts';
import { listBalances, type Account } from '#server/ledger/ledger.service.ts';
import { limitOf } from '#server/platform/cursor.ts';
import { sortedPageOf, sortedPositionOf } from '#server/platform/sorted-cursor.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { requireAdmin, type Viewer } from '#server/platform/viewer.ts';
import { listDifferenceRows } from './difference.queries.ts';
import { listDisputeRows } from '#server/payments/disputes/dispute.queries.ts';
import { checkInvariants } from './invariants.service.ts';
import { countOpenRefunds, listPaymentRows, PAYMENT_ORDERS, readMailState } from './money-state.queries.ts';
import { listOrdersToDecide } from './orders-to-decide.queries.ts';
import { listLastRuns, type RunRow } from './reconcile.queries.ts';

/** More of these are not read by anybody on one page. */
const SHOWN_AT_MOST = 50;

const ACCOUNT_SAYS: Record<Account, string> = {
  provider: 'At the payment provider, before its fees',
  'provider-fees': 'What the provider is expected to keep (estimated)',
  commission: 'Earned by the shop',
  seller: 'Owed to sellers',
  'seller-pending': 'Owed to sellers once their orders are closed',
  'in-transit': 'On its way to sellers, and not known to have left',
  'owed-to-buyers': 'Owed to buyers: goes back to them and has not left yet',
  'refund-costs': 'What refunds and lost disputes cost the shop',
  'dispute-reserve': 'Set aside while banks decide about disputes',
  bank: 'Paid out of the shop’s own bank account',
};

/** The accounts that were ever used, in the order in which they are explained. */
const shownBalances = (balances: readonly { account: Account; cents: number }[]): MoneyState['balances'] =>
  Object.entries(ACCOUNT_SAYS).flatMap(([account, says]) => {
    const balance = balances.find((one) => one.account === account);
    return balance === undefined ? [] : [{ account, says, amount: dollarsOf(balance.cents) }];
  });

const runOf = (runs: readonly RunRow[], scope: RunRow['scope']): MoneyState['reconciled']['all'] => {
  const run = runs.find((one) => one.scope === scope);
  if (run === undefined) return null;
  const { endedAt, lookedAt, settled, differences } = run;
  return { endedAt: endedAt.toISOString(), lookedAt, settled, differences };
};

/** Where the shop's money is and whether everything adds up, for admins. */
export const readMoneyState = async (db: Db, viewer: Viewer): Promise<MoneyState> => {
  requireAdmin(viewer);
  const [invariants, balances, runs, mail, openRefunds, disputes, differences, orders] = await Promise.all([
    checkInvariants(db),
    listBalances(db),
    listLastRuns(db),
    readMailState(db),
    countOpenRefunds(db),
    listDisputeRows(db, SHOWN_AT_MOST),
    listDifferenceRows(db, SHOWN_AT_MOST),
    listOrdersToDecide(db, SHOWN_AT_MOST),
  ]);
  return {
    invariants,
    violations: invariants.reduce((sum, { violations }) => sum + violations, 0),
    balances: shownBalances(balances),
    reconciled: { unpaid: runOf(runs, 'unpaid'), all: runOf(runs, 'all') },
    mail: { ...mail, oldestUnsentAt: mail.oldestUnsentAt?.toISOString() ?? null },
    openRefunds,
    disputes: disputes.map((row) => ({
      _id: row.id,
      bookingId: row.bookingId,
      transactionId: row.transactionId,
      title: row.title,
      buyer: row.buyer,
      amount: dollarsOf(row.amountCents),
      reason: row.reason,
      state: row.state,
      openedAt: row.openedAt.toISOString(),
      closedAt: row.closedAt?.toISOString() ?? null,
      inquiry: row.isInquiry,
      dueBy: row.dueBy?.toISOString() ?? null,
    })),
    orders: orders.map(({ id, since, due, ...order }) => ({
      _id: id,
      ...order,
      since: since.toISOString(),
      due: due?.toISOString() ?? null,
    })),
    differences: differences.map((row) => ({
      _id: row.id,
      kind: row.kind,
      subject: row.subject,
      says: row.says,
      times: row.times,
      foundAt: row.foundAt.toISOString(),
      mendedAt: row.mendedAt?.toISOString() ?? null,
    })),
  };
};

/**
 * Payments for admins, newest first where no order is asked for; 400 for a foreign cursor, one of another order too.
 */
export const listPayments = async (
  db: Db,
  viewer: Viewer,
  input: { limit?: string | undefined; cursor?: string | undefined; sort?: PaymentsSort | undefined },
): Promise<{ rows: PaymentShown[]; next?: string }> => {
  requireAdmin(viewer);
  const limit = limitOf(input.limit);
  const sort = input.sort ?? 'newest';
  const after = sortedPositionOf(input.cursor, sort, PAYMENT_ORDERS[sort].kind);
  return sortedPageOf(await listPaymentRows(db, { limit, sort, after }), limit, sort);
};
