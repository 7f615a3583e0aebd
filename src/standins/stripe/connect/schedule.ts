import type Stripe from 'stripe';
import type { Call } from '#standins/stripe/api/call.ts';
import { invalidRequest } from '#standins/stripe/api/failure.ts';
import { list, nested, oneOf, onlyKnown } from '#standins/stripe/api/params.ts';
import type { PayoutSchedule } from '#standins/stripe/store/tables.ts';
import { DAY_SECONDS, midnight, moneyNow } from './money-clock.ts';

/** How Stripe pays accounts out unless told otherwise. */
export const DAILY: PayoutSchedule = { interval: 'daily', days: [] };

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const PAYOUT_DAYS = WEEKDAYS.slice(1, 6);
const KNOWN: ReadonlySet<string> = new Set(['expand', 'payments']);
const KNOWN_IN_PAYMENTS: ReadonlySet<string> = new Set(['payouts']);
const KNOWN_IN_PAYOUTS: ReadonlySet<string> = new Set(['schedule']);
const KNOWN_IN_SCHEDULE: ReadonlySet<string> = new Set(['interval', 'weekly_payout_days']);

/** The next midnight at which this schedule pays out; null where nothing is paid by itself. */
export function nextPayoutAfter(now: number, { interval, days }: PayoutSchedule): number | null {
  if (interval === 'manual') return null;
  let next = midnight(now) + DAY_SECONDS;
  const wanted = interval === 'daily' ? PAYOUT_DAYS : days;
  while (!wanted.includes(WEEKDAYS[new Date(next * 1000).getUTCDay()] ?? '')) next += DAY_SECONDS;
  return next;
}

function settingsOf({ interval, days }: PayoutSchedule): Stripe.BalanceSettings {
  return {
    object: 'balance_settings',
    payments: {
      debit_negative_balances: true,
      payouts: {
        automatic_transfer_rules_by_currency: null,
        minimum_balance_by_currency: null,
        schedule: { interval, ...(interval === 'weekly' && { weekly_payout_days: days }) },
        statement_descriptor: null,
        status: 'enabled',
      },
      settlement_timing: { delay_days: 2, start_of_day: null },
    },
  };
}

function rowOf({ trx, account }: Call) {
  const row = trx.get('accounts', account ?? '');
  if (row !== undefined) return row;
  throw invalidRequest('This stand-in keeps the balance settings of connected accounts: send Stripe-Account.');
}

/** `GET /v1/balance_settings`; those of the shop itself are as Stripe has them at first. */
export function retrieveBalanceSettings(call: Call): object {
  return settingsOf(call.account === null ? DAILY : rowOf(call).schedule);
}

/** `POST /v1/balance_settings`: when an account is paid out to its bank. */
export function updateBalanceSettings(call: Call): object {
  const row = rowOf(call);
  onlyKnown(call.params, KNOWN);
  const payments = nested(call.params, 'payments') ?? {};
  onlyKnown(payments, KNOWN_IN_PAYMENTS);
  const payouts = nested(payments, 'payouts', 'payments[payouts]') ?? {};
  onlyKnown(payouts, KNOWN_IN_PAYOUTS);
  const given = nested(payouts, 'schedule', 'payments[payouts][schedule]') ?? {};
  onlyKnown(given, KNOWN_IN_SCHEDULE);
  const interval = oneOf(given, 'interval', ['daily', 'manual', 'weekly']) ?? row.schedule.interval;
  const days = list(given, 'weekly_payout_days');
  const param = 'payments[payouts][schedule][weekly_payout_days]';
  if ((interval === 'weekly') !== days.length > 0 || days.some((day) => !PAYOUT_DAYS.includes(day))) {
    throw invalidRequest(`Invalid ${param}: must name days from monday to friday, with the interval weekly`, { param });
  }
  const schedule: PayoutSchedule = { interval, days: days as PayoutSchedule['days'] };
  const id = row.account.id;
  call.trx.put('accounts', id, { ...row, schedule, nextPayoutAt: nextPayoutAfter(moneyNow(call.trx), schedule) });
  return settingsOf(schedule);
}
