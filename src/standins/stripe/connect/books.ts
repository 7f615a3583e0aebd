import type Stripe from 'stripe';
import type { Deed } from '#standins/stripe/api/call.ts';
import { newId } from '#standins/stripe/api/ids.ts';
import type { Store } from '#standins/stripe/store/store.ts';
import type { BalanceRow } from '#standins/stripe/store/tables.ts';
import { DAY_SECONDS, midnight, moneyNow } from './money-clock.ts';

/** The shop itself, among those who have a balance. */
export const PLATFORM = 'platform';
/** What the shop begins with, so that it can give back what its first buyer paid a moment ago. */
export const OPENING_CENTS = 100_000_000;
/** A payment is available two days later, at midnight. */
const CHARGE_DAYS = 2;
const FEE_PERCENT = 2.9;
const FEE_CENTS = 30;
/** What a bank's question costs, whoever wins. */
const DISPUTE_FEE_CENTS = 1_500;

interface Entry {
  /** Before the fee; below zero where it leaves. */
  amount: number;
  type: Stripe.BalanceTransaction.Type;
  /** What brought it about. */
  source: string;
  /** Absent: at once. */
  availableOn?: number;
  fee?: number;
  description?: string | null;
}

function opened(owner: string): BalanceRow {
  return { available: owner === PLATFORM ? OPENING_CENTS : 0, waiting: {} };
}

/** A balance as it is now: what waited for a day that has come is available. */
export function balanceOf(store: Pick<Store, 'get'>, owner: string): BalanceRow {
  const row = store.get('balances', owner) ?? opened(owner);
  const now = moneyNow(store);
  const waiting = Object.entries(row.waiting);
  const come = waiting.filter(([at]) => Number(at) <= now);
  return {
    available: come.reduce((sum, [, cents]) => sum + cents, row.available),
    waiting: Object.fromEntries(waiting.filter(([at]) => Number(at) > now)),
  };
}

export function pendingIn({ waiting }: BalanceRow): number {
  return Object.values(waiting).reduce((sum, cents) => sum + cents, 0);
}

/** Books an amount on a balance. */
export function book({ trx }: Pick<Deed, 'trx'>, owner: string, entry: Entry): Stripe.BalanceTransaction {
  const now = moneyNow(trx);
  const { amount, type, source, availableOn = now, fee = 0, description = null } = entry;
  const isLater = availableOn > now;
  const net = amount - fee;
  const transaction: Stripe.BalanceTransaction = {
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: availableOn,
    balance_type: 'payments',
    created: now,
    currency: 'usd',
    description,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0
        ? []
        : [
            {
              amount: fee,
              application: null,
              currency: 'usd',
              description: 'Stripe processing fees',
              type: 'stripe_fee',
            },
          ],
    net,
    reporting_category: type,
    source,
    status: isLater ? 'pending' : 'available',
    type,
  };
  const { available, waiting } = balanceOf(trx, owner);
  trx.put('balances', owner, {
    available: isLater ? available : available + net,
    waiting: isLater ? { ...waiting, [availableOn]: (waiting[availableOn] ?? 0) + net } : waiting,
  });
  trx.put('balance_transactions', transaction.id, { owner, transaction });
  return transaction;
}

/** A payment comes in, and is available some days later. */
export function bookCharge(deed: Pick<Deed, 'trx'>, charge: Stripe.Charge): Stripe.Charge {
  const transaction = book(deed, PLATFORM, {
    amount: charge.amount,
    type: 'charge',
    source: charge.id,
    availableOn: midnight(moneyNow(deed.trx)) + CHARGE_DAYS * DAY_SECONDS,
    fee: Math.min(charge.amount, Math.round((charge.amount * FEE_PERCENT) / 100) + FEE_CENTS),
    description: charge.description,
  });
  return { ...charge, balance_transaction: transaction.id };
}

/** A bank takes the money of a payment, and a fee; or gives the money back. */
export function bookDispute(
  deed: Pick<Deed, 'trx'>,
  dispute: Stripe.Dispute,
  way: 'given-back' | 'taken',
): Stripe.BalanceTransaction {
  return book(deed, PLATFORM, {
    amount: way === 'taken' ? -dispute.amount : dispute.amount,
    type: 'adjustment',
    source: dispute.id,
    fee: way === 'taken' ? DISPUTE_FEE_CENTS : 0,
    description: way === 'taken' ? 'Chargeback withdrawal' : 'Chargeback reversal',
  });
}

/** When the money of this balance transaction is available. */
export function availableOn({ trx }: Pick<Deed, 'trx'>, transactionId: string): number | undefined {
  return trx.get('balance_transactions', transactionId)?.transaction.available_on;
}

/** A balance transaction as it is told now. */
export function shown(store: Pick<Store, 'get'>, transaction: Stripe.BalanceTransaction): Stripe.BalanceTransaction {
  return { ...transaction, status: transaction.available_on > moneyNow(store) ? 'pending' : 'available' };
}
