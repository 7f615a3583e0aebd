import { listDueOrders, lockSeller, readDue, type OrderDue } from '#server/ledger/ledger.service.ts';
import { postPayout } from '#server/ledger/payout-postings.service.ts';
import { dollarsOf, formatDollars } from '#contract/money/money.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import { mendDifferences, noteDifference } from '#server/payments/reconciliation/difference.queries.ts';
import type { PayoutConfig } from '#server/platform/config.ts';
import { crashPoint } from '#server/platform/crash-points.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { readShopClock } from '#server/platform/postgres/clock.ts';
import { retryOnContention } from '#server/platform/postgres/retry.ts';
import { findDetails } from './by-hand/details.queries.ts';
import {
  listSellersToLookAt,
  lockPayoutAccount,
  setNextLook,
  setWaiting,
  type PayoutAccount,
} from './payout-account.queries.ts';
import { insertPayout, listObstacles, listReversible, type Payout } from './payout.queries.ts';
import { insertReversal, listHopeless, listUnsentRefunds } from './reversal.queries.ts';
import { remindOf } from './waiting.policy.ts';

const BATCH = 50;
/** Orders paid out by one transaction; the rest follow in the next. */
const MOST_AT_ONCE = 50;
/** A payout that was refused is tried again after this long, by the shop's clock, or once the account is ready. */
const PAUSE_SECONDS = 300;
/** Money that waits this long is told to admins, who can write to its owner. */
const UNCLAIMED_DAYS = 365;
/** A refund that is decided is asked for within this. */
const REFUND_PAUSE_MS = 5_000;

/** A seller whom nobody else pays, or takes money back from, just now. */
interface Look {
  readonly trx: Trx;
  readonly way: PayoutConfig['way'];
  readonly account: PayoutAccount;
  readonly now: Date;
}

type Next = Date | undefined;

const earliest = (dates: readonly Next[]): Next =>
  dates.reduce(
    (first, date) => (first === undefined || (date !== undefined && date < first) ? date : first),
    undefined,
  );

/** Asks for the payouts of what a seller is due, order by order; what they owe for others is set off. */
const askPayouts = async ({ trx, account, now }: Look, accountId: string, dueCents: number): Promise<Next> => {
  const { sellerId } = account;
  const obstacles = await listObstacles(trx, sellerId, PAUSE_SECONDS);
  const nameOf = ({ orderId }: Pick<OrderDue, 'orderId'>): string => orderId ?? sellerId;
  const isFree = (order: OrderDue): boolean => obstacles.every((obstacle) => obstacle.orderId !== nameOf(order));
  const orders = (await listDueOrders(trx, sellerId)).filter(({ cents }) => cents > 0);
  const free = orders.filter(isFree);
  let left = dueCents;
  for (const { orderId, cents } of free.slice(0, MOST_AT_ONCE)) {
    const amount = Math.min(cents, left);
    if (amount === 0) break;
    left -= amount;
    await postPayout(trx, await insertPayout(trx, { sellerId, orderId, cents: amount, accountId }));
  }
  if (left > 0 && free.length > MOST_AT_ONCE) return now;
  const names = new Set(orders.map(nameOf));
  return earliest(obstacles.flatMap(({ orderId, until }) => (until !== null && names.has(orderId) ? [until] : [])));
};

/** Asks money back that a seller was paid and owes now, from the payouts of the orders they owe it for. */
const askReversals = async ({ trx, account, now }: Look, debtCents: number): Promise<Next> => {
  const { sellerId } = account;
  const [hopeless, unsent] = [await listHopeless(trx, sellerId), await listUnsentRefunds(trx, sellerId)];
  const debts = new Map<string, number>();
  for (const { orderId, cents } of await listDueOrders(trx, sellerId)) {
    if (cents < 0) debts.set(orderId ?? sellerId, -cents);
  }
  let left = debtCents;
  let isEarly = false;
  const take = async (payout: Payout): Promise<void> => {
    const name = payout.orderId ?? sellerId;
    const debt = debts.get(name) ?? 0;
    if (debt > 0 && unsent.has(name)) isEarly = true;
    const cents = Math.min(payout.cents - payout.reversedCents, debt, left);
    if (cents <= 0 || hopeless.has(payout.id) || unsent.has(name)) return;
    debts.set(name, debt - cents);
    left -= cents;
    await insertReversal(trx, payout.id, cents);
  };
  for (const payout of await listReversible(trx, sellerId)) await take(payout);
  return isEarly ? new Date(now.getTime() + REFUND_PAUSE_MS) : undefined;
};

/** Tells a seller, now and then, of money that waits for their details. */
const remind = async ({ trx, way, account, now }: Look, dueCents: number): Promise<Next> => {
  const { sellerId, toldDays, email, name } = account;
  const since = account.waitingSince ?? now;
  const { tellDays, next } = remindOf({ since, toldDays }, now);
  await setWaiting(trx, sellerId, { since, toldDays: tellDays ?? toldDays ?? 0 });
  if (tellDays !== undefined) {
    await queueMail(trx, {
      kind: 'payout',
      key: `payout-details:${sellerId}:${since.getTime()}:${tellDays}`,
      to: { email, name },
      data: {
        about: tellDays < 30 ? 'details' : 'unclaimed',
        ...(way === 'manual' && { way }),
        title: '',
        cents: dueCents,
        reason: '',
        days: tellDays,
      },
    });
  }
  if (tellDays !== undefined && tellDays >= UNCLAIMED_DAYS) {
    const says = `${name} has not said for a year where to send ${formatDollars(dollarsOf(dueCents))}. It stays theirs.`;
    await noteDifference(trx, { kind: 'unclaimed-money', subject: sellerId, says, mended: false });
  }
  return next;
};

/** Nothing waits for a seller any more. */
const endWaiting = async (trx: Trx, sellerId: string): Promise<void> => {
  await setWaiting(trx, sellerId, null);
  await mendDifferences(trx, sellerId, ['unclaimed-money']);
};

/** Whether what a seller is due has somewhere to go. */
const isReadyFor = async ({ trx, way, account }: Look): Promise<boolean> => {
  if (way === 'connect') return account.status === 'active' && account.accountId !== null;
  const details = await findDetails(trx, account.sellerId);
  return details !== undefined && details.locked === null;
};

/**
 * Looks what a seller is due: asks for its payout, or for money back, or tells them what is missing. In one transaction
 * in which nobody else changes what they are due, without network. By hand admins ask for payouts themselves.
 */
export const lookAtSeller = (db: Db, sellerId: string, way: PayoutConfig['way'] = 'connect'): Promise<void> =>
  retryOnContention(() =>
    db.transaction().execute(async (trx) => {
      await lockSeller(trx, sellerId);
      const account = await lockPayoutAccount(trx, sellerId);
      if (account === undefined) return;
      const look = { trx, way, account, now: (await readShopClock(trx)).now };
      const dueCents = await readDue(trx, sellerId);
      const { accountId, isGone, isHeldBack } = account;
      const isDue = dueCents > 0 && !isGone && !isHeldBack && way !== 'off';
      const isReady = isDue && (await isReadyFor(look));
      const waits = isDue && !isReady;
      if (!waits && account.waitingSince !== null) await endWaiting(trx, sellerId);
      let next: Next;
      if (waits) next = await remind(look, dueCents);
      else if (isReady && way === 'connect' && accountId !== null) next = await askPayouts(look, accountId, dueCents);
      else if (dueCents < 0) next = await askReversals(look, -dueCents);
      // Over what the own postings said; others post once this is committed, and have somebody look again.
      await setNextLook(trx, sellerId, next);
    }),
  );

/** Looks at all sellers for whom something has changed; of several processes one pays. */
export const lookAtSellers = async (
  db: Db,
  onError: (error: unknown, sellerId: string) => void,
  way: PayoutConfig['way'] = 'connect',
): Promise<void> => {
  for (const sellerId of await listSellersToLookAt(db, BATCH)) {
    await lookAtSeller(db, sellerId, way).catch((error: unknown) => onError(error, sellerId));
    crashPoint('release-committed');
  }
};
