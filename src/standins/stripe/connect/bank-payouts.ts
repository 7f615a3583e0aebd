import type Stripe from 'stripe';
import type { Call, Deed } from '#standins/stripe/api/call.ts';
import { invalidRequest, noSuch, StripeFailure } from '#standins/stripe/api/failure.ts';
import { newId } from '#standins/stripe/api/ids.ts';
import { listPage } from '#standins/stripe/api/lists.ts';
import { onlyKnown, text } from '#standins/stripe/api/params.ts';
import { emit } from '#standins/stripe/store/events.ts';
import { accountOf, newBank } from './accounts.ts';
import { balanceOf, book } from './books.ts';
import { DAY_SECONDS, midnight, moneyNow } from './money-clock.ts';
import { nextPayoutAfter } from './schedule.ts';

/** How long the banks take. */
const BANK_DAYS = 2;
const KNOWN_TO_LIST: ReadonlySet<string> = new Set([
  'arrival_date',
  'created',
  'destination',
  'ending_before',
  'expand',
  'limit',
  'starting_after',
  'status',
]);

/** Why a bank sends money back, in Stripe's codes and words. */
const FAILURES = {
  account_closed: 'The bank account has been closed.',
  could_not_process: 'The bank could not process this payout.',
  no_account:
    'The bank account details on file are probably incorrect. No bank account could be located with those details.',
} as const;
export type PayoutFailure = keyof typeof FAILURES;
export const PAYOUT_FAILURES = Object.keys(FAILURES) as PayoutFailure[];

/** A payout of this amount in its first state, with every key Stripe sends. */
export function newPayout(amount: number, destination: string, created: number, automatic: boolean): Stripe.Payout {
  return {
    id: newId('po'),
    object: 'payout',
    amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: midnight(created) + BANK_DAYS * DAY_SECONDS,
    automatic,
    balance_transaction: null,
    created,
    currency: 'usd',
    description: automatic ? 'STRIPE PAYOUT' : null,
    destination,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: {},
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: automatic ? 'in_progress' : 'not_applicable',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: 'pending',
    trace_id: null,
    type: 'bank_account',
  };
}

function put(deed: Deed, account: string, payout: Stripe.Payout): Stripe.Payout {
  deed.trx.put('payouts', payout.id, { account, payout });
  return payout;
}

/** Everything that is available goes to the account's bank; undefined where nothing is, or no bank takes it. */
export function payOut(deed: Deed, id: string, automatic: boolean): Stripe.Payout | undefined {
  const { bank } = accountOf(deed, id);
  const { available } = balanceOf(deed.trx, id);
  if (available <= 0 || bank.status !== 'new') return undefined;
  const draft = newPayout(available, bank.id, moneyNow(deed.trx), automatic);
  const out = book(deed, id, { amount: -available, type: 'payout', source: draft.id });
  const payout = put(deed, id, { ...draft, balance_transaction: out.id });
  emit(deed, 'payout.created', payout, id);
  return payout;
}

/** The bank sends it back: the account has it again, and nothing more is sent until its owner names another bank. */
export function failPayout(deed: Deed, id: string, code: PayoutFailure): Stripe.Payout {
  const row = deed.trx.get('payouts', id);
  if (row === undefined) throw noSuch('payout', id);
  if (row.payout.status === 'failed') {
    throw new StripeFailure(400, { type: 'invalid_request_error', message: `Payout ${id} has failed already.` }, true);
  }
  const back = book(deed, row.account, { amount: row.payout.amount, type: 'payout_failure', source: id });
  const payout = put(deed, row.account, {
    ...row.payout,
    failure_balance_transaction: back.id,
    failure_code: code,
    failure_message: FAILURES[code],
    status: 'failed',
  });
  const account = accountOf(deed, row.account);
  deed.trx.put('accounts', row.account, { ...account, bank: { ...account.bank, status: 'errored' } });
  emit(deed, 'payout.failed', payout, row.account);
  const bank = { id: account.bank.id, object: 'bank_account', account: row.account, status: 'errored' };
  emit(deed, 'account.external_account.updated', bank, row.account);
  return payout;
}

/** The bank closes the account, which the next payout finds out; or the owner names another. */
export function changeBank(deed: Deed, id: string, isClosed: boolean): { bank: string; status: string } {
  const row = accountOf(deed, id);
  const bank = isClosed ? { ...row.bank, isClosed } : newBank();
  deed.trx.put('accounts', id, { ...row, bank });
  return { bank: bank.id, status: bank.status };
}

/** One step of a payout whose time has come; undefined where it has not. */
function stepOf(deed: Deed, { account, payout }: { account: string; payout: Stripe.Payout }): (() => void) | undefined {
  const now = moneyNow(deed.trx);
  const hasArrived = now >= payout.arrival_date;
  if (payout.status === 'pending' && (hasArrived || now >= midnight(payout.created) + DAY_SECONDS)) {
    return () => emit(deed, 'payout.updated', put(deed, account, { ...payout, status: 'in_transit' }), account);
  }
  if (payout.status !== 'in_transit' || !hasArrived) return undefined;
  const { bank } = accountOf(deed, account);
  if (bank.id === payout.destination && bank.isClosed) return () => void failPayout(deed, payout.id, 'account_closed');
  const arrived = { reconciliation_status: payout.automatic ? 'completed' : 'not_applicable', status: 'paid' } as const;
  return () => emit(deed, 'payout.paid', put(deed, account, { ...payout, ...arrived }), account);
}

/** Lets every payout go on, and pays out every account whose day has come; answers whether anything was done. */
export function movePayouts(deed: Deed): boolean {
  const { trx } = deed;
  const steps = trx.newestFirst('payouts').flatMap((row) => stepOf(deed, row) ?? []);
  for (const step of steps) step();
  const now = moneyNow(trx);
  const due = trx.newestFirst('accounts').filter(({ nextPayoutAt }) => nextPayoutAt !== null && nextPayoutAt <= now);
  for (const row of due) {
    trx.put('accounts', row.account.id, { ...row, nextPayoutAt: nextPayoutAfter(now, row.schedule) });
    payOut(deed, row.account.id, true);
  }
  return steps.length + due.length > 0;
}

function mineOf({ account }: Call): string {
  if (account !== null) return account;
  throw invalidRequest('This stand-in keeps the payouts of connected accounts: send Stripe-Account.');
}

export function retrievePayout(call: Call): object {
  const row = call.trx.get('payouts', call.id);
  if (row === undefined || row.account !== mineOf(call)) throw noSuch('payout', call.id);
  return row.payout;
}

export function listPayouts(call: Call): object {
  const { params, trx } = call;
  onlyKnown(params, KNOWN_TO_LIST);
  const account = mineOf(call);
  const status = text(params, 'status');
  const rows = trx
    .newestFirst('payouts')
    .filter((row) => row.account === account)
    .map(({ payout }) => payout)
    .filter((payout) => status === undefined || payout.status === status);
  return listPage(rows, params, '/v1/payouts', 'payout');
}
